import Glibc
import SecretVault
import Security

/// The library as a program uses it: strings and secret bytes in, secret bytes out, a key-file slot.
final class StoreSubject: Subject {
  let path: String
  let credential: Credential
  private let options: SecretStore.Options
  private var store: SecretStore
  private var lastRead: SecretBytes?
  private var listing: ItemListing?

  /// Makes a vault with a slot for a key file, and one for each further credential.
  init(
    folder: String,
    keyFile: SecretBytes,
    also others: [Credential] = []
  ) throws(BenchmarkError) {
    options = Self.options(folder)
    path = Self.path(folder)
    do {
      credential = .keyFile(contents: keyFile)
      store = try SecretStore.create(
        at: path,
        protectedBy: ([credential] + others).map { SecretStore.NewSlot($0) },
        options: options
      )
    } catch {
      throw .vault(error)
    }
  }

  /// Opens a vault that is there.
  init(folder: String, opening credential: Credential) throws(BenchmarkError) {
    options = Self.options(folder)
    path = Self.path(folder)
    self.credential = credential
    do {
      store = try SecretStore.open(at: path, options: options)
      try store.unlock(with: credential)
    } catch {
      throw .vault(error)
    }
  }

  convenience init(folder: String, shape: Shape) throws(BenchmarkError) {
    try self.init(folder: folder, keyFile: Self.makeKeyFile())
  }

  private static func path(_ folder: String) -> String { folder + "/store.vault" }

  private static func options(_ folder: String) -> SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = folder + "/state"
    // One transaction of many values needs more than the usual limit on locked memory.
    options.allowsUnlockedMemory = true
    return options
  }

  /// What happens to the vault from now on.
  var changes: VaultEvents { store.changes }

  /// The contents of a new key file.
  static func makeKeyFile() throws(BenchmarkError) -> SecretBytes {
    do { return try Credential.makeKeyFile() } catch { throw .vault(error) }
  }

  /// Copies bytes into locked memory.
  static func secret(_ bytes: [UInt8]) throws(BenchmarkError) -> SecretBytes {
    do { return try SecretBytes(copying: bytes) } catch { throw .memory }
  }

  func value(_ bytes: [UInt8]) throws(BenchmarkError) -> SecretBytes {
    try Self.secret(bytes)
  }

  func put(_ entry: Entry, _ value: SecretBytes) throws(BenchmarkError) {
    do {
      try store.set(value, for: identity(entry), label: entry.label)
    } catch {
      throw .vault(error)
    }
  }

  func putTogether(
    _ entries: ArraySlice<Entry>,
    _ values: [SecretBytes]
  ) throws(BenchmarkError) {
    do {
      try store.transaction { transaction in
        for (entry, value) in zip(entries, values) {
          var item = SecretItem(identity: identity(entry))
          item.label = AttributeValue(entry.label)
          try transaction.set(item, secret: value)
        }
      }
    } catch {
      guard let error = error as? VaultError else { throw .wrongResult("not an error of a vault") }
      throw .vault(error)
    }
  }

  func read(_ entry: Entry) throws(BenchmarkError) -> Bool {
    do { lastRead = try store.secret(for: identity(entry)) } catch { throw .vault(error) }
    return lastRead != nil
  }

  func lastReadEquals(_ bytes: [UInt8]) -> Bool {
    lastRead?.withBytes { read in
      unsafe read.withUnsafeBufferPointer { read in
        guard let base = read.baseAddress else { return bytes.isEmpty }
        return unsafe read.count == bytes.count && memcmp(base, bytes, bytes.count) == 0
      }
    } ?? false
  }

  func list() throws(BenchmarkError) -> Int {
    do {
      let listing = try store.items()
      self.listing = listing
      return listing.items.count
    } catch {
      throw .vault(error)
    }
  }

  func forgetListing() { listing = nil }

  func listedNames() throws(BenchmarkError) -> [Names] {
    _ = try list()
    defer { forgetListing() }
    return (listing?.items ?? []).map { item in
      let identity = item.identity
      return Names(
        service: identity.service.bytes,
        account: identity.account.bytes,
        label: item.label?.bytes ?? []
      )
    }
  }

  func remove(_ entry: Entry) throws(BenchmarkError) -> Bool {
    do { return try store.remove(identity(entry)) } catch { throw .vault(error) }
  }

  func open() throws(BenchmarkError) { try open(with: credential) }

  /// Opens and unlocks with one of the credentials.
  func open(with credential: Credential) throws(BenchmarkError) {
    do {
      store = try SecretStore.open(at: path, options: options)
      try store.unlock(with: credential)
    } catch {
      throw .vault(error)
    }
  }

  /// Lets the keychain's calls of this process use the store.
  func useForKeychainCalls() throws(BenchmarkError) {
    let groups = [SecretStore.defaultGroupName]
    do { try SharedKeychain.use(store, accessGroups: groups) } catch { throw .vault(error) }
  }

  func makeRotation() throws(BenchmarkError) -> () throws(BenchmarkError) -> Void {
    let administration: VaultAdministration
    do { administration = try store.administration(with: credential) } catch { throw .vault(error) }
    return { () throws(BenchmarkError) in
      do throws(VaultError) { try administration.rotate() } catch { throw .vault(error) }
    }
  }

  func settle() throws(BenchmarkError) {
    do { try store.emptyLog() } catch { throw .vault(error) }
  }

  /// The logarithm of scrypt's N in the passphrase slot, or `nil` where there is none.
  func passphraseCost() throws(BenchmarkError) -> Int? {
    do {
      return try store.administration(with: credential).slots().compactMap(\.log2N).first
    } catch {
      throw .vault(error)
    }
  }

  func close() { store.close() }

  private func identity(_ entry: Entry) -> ItemIdentity {
    ItemIdentity(service: entry.service, account: entry.account)
  }
}
