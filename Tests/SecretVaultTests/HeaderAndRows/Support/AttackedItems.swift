import SecretVault
import Testing
import VaultCrypto

/// A closed vault with two items, which is edited and opened again, each time as if for the first time.
struct AttackedItems {
  let vault: TemporaryVault
  let raw: RawVault
  let group: GroupInsider
  let alice = ItemIdentity(service: "api.example.com", account: "alice")
  let bob = ItemIdentity(service: "db.example.com", account: "bob")

  /// What reading an item anew comes to: the codes of the errors, `itemNotFound` for a missing item.
  struct Reading: Hashable {
    var item: VaultError.Code?
    var secret: VaultError.Code?

    static let whole = Reading()
    static let tampered = Reading(item: .tampered, secret: .tampered)
    static let missing = Reading(item: .itemNotFound, secret: .itemNotFound)
  }

  /// Makes the vault from a named random stream, which decides on the pages of the items.
  init(
    _ stream: String = "attacked items",
    filling fill: (SecretStore, Credential) throws -> Void = { _, _ in }
  ) throws {
    vault = try TemporaryVault()
    let store = try SecretStore.create(
      at: vault.path,
      protectedBy: [SecretStore.NewSlot(vault.credential)],
      group: "default",
      lockState: ManualLockState(),
      options: vault.options,
      random: .stream(stream)
    )
    try store.set(SecretBytes("secret of alice"), for: alice, label: "Alice")
    try store.set(SecretBytes("secret of bob"), for: bob)
    try fill(store, vault.credential)
    store.close()
    raw = try vault.raw()
    group = try GroupInsider(raw, Insider(raw, keyFile: vault.keyFile))
  }

  /// Opens the vault anew, does something, and closes it again.
  @discardableResult
  func withStore<Result>(
    state: String? = nil,
    _ body: (SecretStore) throws -> Result
  ) throws -> Result {
    var options = vault.options
    if let state { options.stateDirectory = state }
    let store = try SecretStore.open(at: vault.path, options: options)
    defer { store.close() }
    try store.unlock(with: vault.credential)
    return try body(store)
  }

  /// Reads an item in an opening of its own.
  func read(_ identity: ItemIdentity) throws -> Reading {
    try withStore { Reading(identity, in: $0) }
  }

  /// The code with which a listing in an opening of its own fails.
  func listingCode() throws -> VaultError.Code? {
    try withStore { store in TemporaryVault.code { _ = try store.items() } }
  }

  /// Whether a check of the whole vault finds no damage.
  func isSound() throws -> Bool {
    try withStore { try $0.administration(with: vault.credential).check().isSound }
  }
}

extension AttackedItems.Reading {
  /// Reads an item and its secret.
  init(_ identity: ItemIdentity, in store: SecretStore) {
    item = TemporaryVault.code {
      guard try store.item(for: identity) != nil else { throw VaultError(.itemNotFound) }
    }
    secret = TemporaryVault.code {
      guard try store.secret(for: identity) != nil else { throw VaultError(.itemNotFound) }
    }
  }
}
