import SecretVault
import Security
import Testing

/// A keychain of its own for one test, in a new vault in a temporary folder.
///
/// The calls are the public ones; only the vault behind them is the test's.
final class TestKeychain: Sendable {
  /// The folder with the vault and the state folder, removed at the end.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "security-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let folder: Folder
  let credential: Credential
  let lockState: ManualLockState
  let store: SecretStore
  let keychain: Keychain

  /// Makes a vault, opened by a key file and by `passphrase`, and a client with a list of groups.
  init(groups: [String] = ["default"], passphrase: String? = nil) throws {
    folder = try Folder()
    credential = .keyFile(contents: try Credential.makeKeyFile())
    lockState = ManualLockState()
    var options = SecretStore.Options()
    options.stateDirectory = folder.path + "/state"
    var slots = [SecretStore.NewSlot(credential)]
    if let passphrase {
      let secret = try SecretBytes(copying: Array(passphrase.utf8))
      var slot = SecretStore.NewSlot(.passphrase(secret))
      slot.log2N = 15
      slots.append(slot)
    }
    store = try SecretStore.create(
      at: folder.path + "/test.vault",
      protectedBy: slots,
      lockState: lockState,
      options: options
    )
    try store.makeGroups(groups, with: credential)
    keychain = Keychain(store, accessGroups: groups)
  }

  private init(of other: TestKeychain, groups: [String]) throws {
    folder = other.folder
    credential = other.credential
    lockState = other.lockState
    store = other.store
    keychain = Keychain(store, accessGroups: groups)
  }

  /// Another client of the same vault, with another list of groups.
  func client(groups: [String]) throws -> TestKeychain {
    try TestKeychain(of: self, groups: groups)
  }

  /// The same vault opened once more, as another process opens it, with a lock and a list of its own.
  init(reopening other: TestKeychain, groups: [String]) throws {
    folder = other.folder
    credential = other.credential
    lockState = ManualLockState()
    var options = SecretStore.Options()
    options.stateDirectory = folder.path + "/state"
    store = try SecretStore.open(at: other.path, lockState: lockState, options: options)
    keychain = Keychain(store, accessGroups: groups)
    try unlock()
  }

  /// The path of the vault.
  var path: String { folder.path + "/test.vault" }

  /// The path of the state folder.
  var statePath: String { folder.path + "/state" }

  func lock() { lockState.lock() }

  func lockAsBeforeFirstUnlock() { lockState.set(.beforeFirstUnlock) }

  func unlock() throws {
    lockState.unlock()
    try store.unlock(with: credential)
  }

  /// Runs code that makes the calls as if this were the keychain of the process.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SharedKeychain.$override.withValue(keychain, operation: body)
  }
}

extension TestKeychain {
  /// A keychain with three generic passwords.
  static func withPasswords() throws -> TestKeychain {
    let keychain = try TestKeychain()
    for account in ["a", "b", "c"] {
      let item = password(account, ["v_Data": Data(account.utf8), "labl": "label of \(account)"])
      #expect(keychain.add(item) == errSecSuccess)
    }
    return keychain
  }

  func add(_ item: [String: Any]) -> OSStatus { add(item as NSDictionary) }

  func add(_ item: NSDictionary) -> OSStatus { use { SecItemAdd(item, nil) } }

  func adding(_ item: [String: Any]) -> (status: OSStatus, result: AnyObject?) {
    var result: AnyObject?
    let status = use { unsafe SecItemAdd(item as CFDictionary, &result) }
    return (status, result)
  }

  func copy(_ query: [String: Any]) -> (status: OSStatus, result: AnyObject?) {
    var result: AnyObject?
    let status = use { unsafe SecItemCopyMatching(query as CFDictionary, &result) }
    return (status, result)
  }

  /// Asks without a place for the result.
  func exists(_ query: [String: Any]) -> OSStatus {
    use { SecItemCopyMatching(query as CFDictionary, nil) }
  }

  func update(_ query: [String: Any], to changes: [String: Any]) -> OSStatus {
    use { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
  }

  func delete(_ query: [String: Any]) -> OSStatus {
    use { SecItemDelete(query as CFDictionary) }
  }

  /// The attributes of one item that must be there.
  func attributes(of query: [String: Any]) throws -> [String: Any] {
    let found = copy(query.merging([kSecReturnAttributes as String: true]) { $1 })
    try #require(found.status == errSecSuccess)
    return try #require(found.result as? [String: Any])
  }

  /// The value of one item that must be there.
  func data(of query: [String: Any]) throws -> Data {
    let found = copy(query.merging([kSecReturnData as String: true]) { $1 })
    try #require(found.status == errSecSuccess)
    return try #require(found.result as? Data)
  }

  /// Makes each of the four calls with a dictionary that none of them can take.
  func expectInAllCalls(_ dictionary: [String: Any], _ status: OSStatus) {
    #expect(add(dictionary) == status, "adding")
    #expect(copy(dictionary).status == status, "copying")
    #expect(update(dictionary, to: ["labl": "x"]) == status, "updating")
    #expect(delete(dictionary) == status, "deleting")
  }

  /// Stores an attribute as text, as data and as a number, and finds it again in the same form.
  func expectForms(of key: String, in itemClass: CFString) throws {
    // No two have the same bytes: where the attribute names the item, they are three items.
    let values: [NSObject] = ["text" as NSString, Data([0, 0xff]) as NSData, 7 as NSNumber]
    let other = key == "acct" ? "labl" : "acct"
    for (index, value) in values.enumerated() {
      let item: [String: Any] = ["class": itemClass, key: value, other: "item \(index)"]
      #expect(add(item) == errSecSuccess)
      let found = try attributes(of: ["class": itemClass, key: value])
      #expect(found[key] as? NSObject == value)
      #expect(found[other] as? String == "item \(index)")
    }
  }
}

/// A generic password of a service, by its account.
func password(_ account: String, _ more: [String: Any] = [:]) -> [String: Any] {
  let item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
    kSecAttrAccount as String: account,
  ]
  return item.merging(more) { $1 }
}

/// An access control of an accessibility class.
func accessControl(
  _ accessible: String,
  _ flags: SecAccessControlCreateFlags = []
) throws -> SecAccessControl {
  let made = SecAccessControlCreateWithFlags(nil, accessible as CFTypeRef, flags, nil)
  return try #require(made)
}
