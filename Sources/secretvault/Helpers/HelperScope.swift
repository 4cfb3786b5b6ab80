import SecretVault

/// Where in a vault a helper keeps its items.
struct HelperScope {
  private let group: String?
  private let isSynchronizable: Bool

  /// Takes the options `--group` and `--synchronizable`.
  init(_ arguments: ParsedArguments) {
    group = arguments.value(of: .group)
    isSynchronizable = arguments.has(.synchronizable)
  }

  /// The accounts of a service.
  struct Accounts {
    /// The names that could be read, sorted by their bytes.
    let names: [AttributeValue]
    /// Whether there may be more among the items that are locked now.
    let areIncomplete: Bool
  }

  /// What names the item of an account.
  func identity(_ service: AttributeValue, _ account: AttributeValue) -> ItemIdentity {
    ItemIdentity(
      serviceValue: service,
      account: account,
      group: group,
      isSynchronizable: isSynchronizable
    )
  }

  /// Lists the generic passwords, of one service or of all.
  func items(of service: AttributeValue? = nil, in store: any ItemStore) throws -> ItemListing {
    let query = ItemQuery(
      service: service,
      group: group,
      isSynchronizable: isSynchronizable,
      kind: .genericPassword
    )
    return try store.items(matching: query)
  }

  /// Lists the accounts of a service, each once even if several groups have it.
  func accounts(of service: AttributeValue, in store: any ItemStore) throws -> Accounts {
    let listing = try items(of: service, in: store)
    let names = Set(listing.items.map(\.identity.account))
    return Accounts(
      names: names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) },
      areIncomplete: listing.lockedCount > 0
    )
  }
}

extension ItemStore {
  /// The secret of an item; what has expired counts as unknown, and so does what must be written again after
  /// a restore.
  ///
  /// - Throws: ``VaultError``: `locked` and whatever else makes it unreadable.
  func usableSecret(for identity: ItemIdentity) throws(VaultError) -> SecretBytes? {
    do throws(VaultError) {
      return try secret(for: identity)
    } catch {
      if [.expired, .needsRevalidation].contains(error.code) { return nil }
      throw error
    }
  }
}
