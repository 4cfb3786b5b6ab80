import SecretMemory
import Synchronization

/// The one slow step: scrypt with r = 8 and p = 1, for passphrases only (RFC 7914).
package enum Stretch {
  /// The size of a slot's salt, in bytes.
  package static let saltByteCount = 24

  private static let count = Atomic<Int>(0)

  /// How often this process has stretched a passphrase; tests prove with it what was refused before.
  package static var callCount: Int { count.load(ordering: .relaxed) }

  /// Stretches a passphrase with a cost of 2^`log2N`, which takes 2^`log2N` KiB of memory.
  ///
  /// - Throws: ``CryptoError``.
  package static func passphrase(
    _ passphrase: Span<UInt8>,
    salt: Span<UInt8>,
    log2N: UInt8
  ) throws(CryptoError) -> Key<Role.Passphrase> {
    guard salt.count == saltByteCount, (1..<32).contains(log2N) else { throw .invalidLength }
    count.add(1, ordering: .relaxed)
    var saltBytes = Label.scrypt.tag
    for index in salt.indices { saltBytes.append(salt[index]) }
    var secret = try withCryptoErrors { () throws(SecretMemoryError) in try SecretKey() }
    try secret.withMutableBytes { output throws(CryptoError) in
      try Scrypt.derive(
        passphrase,
        salt: saltBytes.span,
        n: 1 << UInt64(log2N),
        r: 8,
        p: 1,
        into: &output
      )
    }
    return Key(secret)
  }
}
