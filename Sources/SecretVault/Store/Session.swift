import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// One connection and the keyed contexts that go with it, used by one thread at a time.
final class Session {
  let connection: any DatabaseConnection
  let cipher: RowCipher
  let cache: PageCache
  /// Which unlocking the contexts belong to.
  private var generation: UInt64 = 0
  /// Ciphers for the other cores, for calls that open many rows at once.
  private var assistants: [RowCipher] = []

  init(_ connection: any DatabaseConnection, cache: PageCache) throws(VaultError) {
    self.connection = connection
    self.cache = cache
    do { cipher = try RowCipher() } catch { throw VaultError(translating: error) }
  }

  /// Drops contexts that belong to an earlier unlocking.
  func use(generation: UInt64) {
    if self.generation != generation {
      forgetAll()
      self.generation = generation
    }
  }

  /// Frees the contexts of the classes that a lock closes, and wipes the ciphers' last keys, which may be of one.
  func forgetLockedClasses() {
    cipher.forgetLockedClasses()
    for assistant in assistants { assistant.forgetLockedClasses() }
  }

  /// Frees every context and wipes the ciphers' last keys.
  func forgetAll() {
    cipher.forgetAll()
    for assistant in assistants { assistant.forgetAll() }
  }

  /// The keyed contexts of a group.
  func contexts(of group: OpenGroup) throws(CryptoError) -> GroupContexts {
    try cipher.contexts(of: group)
  }

  /// Computes the lookup of an identity in a group.
  func lookup(_ input: LookupInput, in group: OpenGroup) throws(CryptoError) -> Digest {
    let bytes = input.bytes
    return Digest(try contexts(of: group).index.expand(.lookup, over: bytes.span))
  }

  /// Ciphers for as many threads beside the one that has the session; a lock of the vault finds them all.
  func assistants(count: Int) throws(CryptoError) -> [RowCipher] {
    while assistants.count < count { assistants.append(try RowCipher()) }
    return Array(assistants.prefix(count))
  }
}
