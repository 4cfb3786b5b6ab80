import SecretVault
import TestSupport
import VaultFormat

/// A vault that a key file and passphrases open, with items of every class and a second group that has its own key.
final class RotatedVault {
  let vault: TemporaryVault
  let workKey: Credential
  let passphrase: Credential
  let work = ItemIdentity(service: "work.example.com", account: "w", group: "work")

  init(passphrases: [String] = ["laptop"]) throws {
    vault = try TemporaryVault()
    workKey = .keyFile(contents: try Credential.makeKeyFile())
    passphrase = .passphrase(try SecretBytes(passphrases.first ?? "none"))
    let slots = try passphrases.map { text in
      var slot = try SecretStore.NewSlot.passphrase(text)
      slot.label = text
      return slot
    }
    let store = try vault.create(alsoProtectedBy: slots)
    for accessibility in Accessibility.allCases
    where !passphrases.isEmpty || accessibility != .whenPasscodeSetThisDeviceOnly {
      try store.set(
        SecretBytes("\(accessibility)"),
        for: .of(accessibility),
        accessibility: accessibility
      )
    }
    let administration = try store.administration(with: vault.credential)
    try administration.createGroup("work")
    var slot = SecretStore.NewSlot(workKey, label: "ci")
    slot.group = "work"
    try administration.addSlot(slot)
    try store.set(SecretBytes("secret of work"), for: work)
    try store.closeDrained()
  }

  /// What every item is to its owner, one line each.
  func contents(with credential: Credential? = nil) throws -> [String] {
    let store = try vault.open()
    defer { store.close() }
    try store.unlock(with: credential ?? vault.credential)
    return try store.items().items.map { item in
      let secret = try store.secret(for: item.identity)?.text ?? "none"
      let dates = "\(String(describing: item.created)) \(String(describing: item.modified))"
      return
        "\(item.identity) \(item.itemID) \(item.version) \(item.accessibility) \(dates) \(secret)"
    }
    .sorted()
  }

  /// Rotates with the key file in a store of its own, and closes that.
  @discardableResult
  func rotate(
    _ rotation: Rotation = Rotation(),
    with credential: Credential? = nil
  ) throws
    -> RotationReport
  {
    var rotation = rotation
    rotation.log2N = 15
    let store = try vault.open()
    let administration = try store.administration(with: credential ?? vault.credential)
    let report = try administration.rotate(rotation)
    try store.closeDrained()
    return report
  }

  /// Whether everything in the vault verifies.
  func isSound(with credential: Credential? = nil) throws -> Bool {
    let store = try vault.open()
    defer { store.close() }
    return try store.administration(with: credential ?? vault.credential).check().isSound
  }

  /// The columns of claims that a rotation keeps, by item id.
  func keptColumns() throws -> [String] {
    try RawDatabase(vault.path).rows(
      """
      SELECT hex(item_id) || kind || '-' || class || '-' || flags || hex(device_id) || version || '-' || box \
      FROM claim ORDER BY item_id
      """
    )
  }
}

extension TemporaryVault {
  /// A vault with so many items that others can meet its rotation, opened by a key file and a passphrase.
  static func withNumberedItems(_ count: Int) throws -> TemporaryVault {
    let vault = try TemporaryVault()
    let store = try vault.create(alsoProtectedBy: [.passphrase("laptop")])
    try store.transaction { transaction in
      for number in 0..<count {
        try transaction.set(SecretBytes("s"), for: .numbered(number))
      }
    }
    try store.closeDrained()
    return vault
  }
}

extension ItemIdentity {
  /// One of many items.
  static func numbered(_ number: Int) -> ItemIdentity {
    ItemIdentity(service: "service-\(number)")
  }
}
