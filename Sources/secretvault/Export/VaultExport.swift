import Glibc
import SecretVault

/// The synchronizable items of a vault, in a new vault with keys and credentials of its own.
struct VaultExport {
  private let contents: [(item: SecretItem, secret: SecretBytes?)]
  private let groups: [String]

  /// Reads the synchronizable items of a listing; none of them is bound to a device.
  init(_ listing: ItemListing, of store: SecretStore) throws {
    contents = try listing.items
      .filter { $0.identity.isSynchronizable && !$0.accessibility.isDeviceBound }
      .compactMap { try store.contents(of: $0.identity) }
    // By bytes: names that Unicode takes for equal are different groups.
    groups = Set(contents.compactMap { $0.item.identity.group.map { Array($0.utf8) } })
      .sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// How many items there are.
  var count: Int { contents.count }

  /// Makes the vault, with the items in one commit.
  ///
  /// - Throws: An error of the library; nothing of the vault is left then.
  func make(
    at path: String,
    protectedBy slots: [SecretStore.NewSlot],
    options: SecretStore.Options
  ) throws {
    let group = groups.first ?? "default"
    // What is carried elsewhere is its owner's, whoever shares the vault it comes from.
    var options = options
    options.sharedWith = nil
    let new = try SecretStore.create(at: path, protectedBy: slots, group: group, options: options)
    do {
      try addGroups(to: new, slots)
      try new.transaction { transaction in
        for (item, secret) in contents { try transaction.add(item, secret: secret) }
      }
      new.close()
    } catch {
      new.close()
      for suffix in ["", "-wal", "-shm", ".lock"] { _ = unsafe unlink(path + suffix) }
      throw error
    }
  }

  private func addGroups(to new: SecretStore, _ slots: [SecretStore.NewSlot]) throws {
    guard groups.count > 1, let credential = slots.first?.credential else { return }
    let administration = try new.administration(with: credential)
    for group in groups.dropFirst() { try administration.createGroup(group) }
    administration.end()
  }
}
