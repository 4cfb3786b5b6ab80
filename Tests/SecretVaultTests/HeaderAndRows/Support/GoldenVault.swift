import Foundation
import SecretVault
import VaultCrypto
import VaultFormat

/// Vault W: two groups of three items in all five classes, with a slot of every kind.
///
/// Its bytes are kept in `Fixtures`, with everything that opens it beside them. They stay as they are for as
/// long as there is format 1.
struct GoldenVault {
  /// One item of the vault, and its secret.
  struct Entry {
    let item: SecretItem
    let secret: String
  }

  let path: String
  let options: SecretStore.Options

  /// Where the files are kept.
  static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// Copies the kept vault and device key, with the modes that they must have, into a folder.
  init(copiedTo folder: String, withDeviceKey: Bool = true) throws {
    self.init(in: folder)
    try Self.copy("vault-format1-W.vault", to: path)
    guard let state = options.stateDirectory, withDeviceKey else { return }
    try FileManager.default.createDirectory(
      atPath: state,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    try Self.copy("vault-format1-W.device-key", to: state + "/device.key")
  }

  /// Makes the vault again from its random stream.
  init(rewrittenIn folder: String) throws {
    self.init(in: folder)
    let random = RandomSource.stream("vault W")
    let store = try SecretStore.create(
      at: path,
      protectedBy: [
        Self.slot(.passphrase, "passphrase"), Self.slot(.keyFile, "key file"),
        Self.slot(.recoveryCode, "recovery code"), Self.slot(.combination, "combination"),
      ],
      group: "default",
      lockState: ManualLockState(),
      options: options,
      random: random
    )
    let administration = try store.administration(with: Self.credential(.keyFile))
    try administration.createGroup("work")
    let again = try store.administration(with: Self.credential(.keyFile))
    var slot = try Self.slot(.workKeyFile, "work only")
    slot.group = "work"
    try again.addSlot(slot)
    try store.unlock(with: Self.credential(.keyFile))
    for entry in try Self.entries() {
      try store.add(entry.item, secret: SecretBytes(entry.secret))
    }
    store.close()
  }

  private init(in folder: String) {
    path = folder + "/W.vault"
    options = {
      var options = SecretStore.Options()
      options.stateDirectory = folder + "/W-state"
      return options
    }()
  }

  private static func slot(_ way: WayIn, _ label: String) throws -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(try credential(way), label: label)
    slot.log2N = 15
    return slot
  }

  private static func copy(_ name: String, to path: String) throws {
    try contents(of: name).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  private static func contents(of name: String) throws -> Data {
    try Data(contentsOf: fixtures.appendingPathComponent(name))
  }
}

extension GoldenVault {
  /// What opens the vault, or one group of it.
  enum WayIn: String, CaseIterable {
    case passphrase
    case keyFile
    case recoveryCode
    case combination
    case workKeyFile

    /// How many of the items it opens.
    var itemCount: Int { self == .workKeyFile ? 3 : 6 }
  }

  /// The kept credential.
  static func credential(_ way: WayIn) throws -> Credential {
    func bytes(_ name: String) throws -> SecretBytes {
      try SecretBytes(copying: contents(of: "vault-format1-W." + name))
    }
    return switch way {
    case .passphrase: .passphrase(try bytes("passphrase"))
    case .keyFile: .keyFile(contents: try bytes("key-file"))
    case .recoveryCode: .recoveryCode(try bytes("recovery-code"))
    case .combination:
      .passphrase(try bytes("passphrase"), keyFileContents: try bytes("combination-key-file"))
    case .workKeyFile: .keyFile(contents: try bytes("work-key-file"))
    }
  }

  /// The items in the order in which they were added.
  static func entries() throws -> [Entry] {
    let plain = SecretItem(
      identity: ItemIdentity(service: "com.example.api", account: "zo\u{eb}@example.org")
    )
    var web = SecretItem(
      identity: ItemIdentity(
        server: "www.example.com",
        account: "zo\u{eb}@example.org",
        networkProtocol: "htps",
        authenticationType: "dflt",
        port: 443,
        path: "/login"
      ),
      accessibility: .afterFirstUnlock
    )
    web.label = "Example"
    web.comment = "two lines\nof comment"
    let bound = SecretItem(
      identity: ItemIdentity(service: "bound", account: "to this device"),
      accessibility: .whenUnlockedThisDeviceOnly
    )
    var background = SecretItem(
      identity: ItemIdentity(service: "backup", account: "root", group: "work"),
      accessibility: .afterFirstUnlockThisDeviceOnly
    )
    background[applicationAttribute: 64] = AttributeValue(data: [0, 1, 0xff])
    let passcode = SecretItem(
      identity: ItemIdentity(service: "passcode", group: "work"),
      accessibility: .whenPasscodeSetThisDeviceOnly
    )
    let synchronized = SecretItem(
      identity: ItemIdentity(
        serviceValue: AttributeValue(data: [0xfe, 0xff]),
        account: "shared",
        group: "work",
        isSynchronizable: true
      )
    )
    return [
      Entry(item: plain, secret: "hunter2"), Entry(item: web, secret: ""),
      Entry(item: bound, secret: String(repeating: "x", count: 61)),
      Entry(item: background, secret: "background"), Entry(item: passcode, secret: "passcode"),
      Entry(item: synchronized, secret: String(repeating: "long ", count: 4_000)),
    ]
  }
}
