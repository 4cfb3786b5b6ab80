import SecretVault

/// Items of a vault, written as plain text.
struct PlainExport {
  /// How the items are written.
  enum Form {
    case json
    case variables(VariableFormat, service: String)
  }

  private let store: SecretStore
  private let form: Form
  private let items: [SecretItem]
  private let lockedCount: Int

  /// Takes the items of a listing.
  ///
  /// - Throws: A failure where they do not fit the format: there are none, or a name is illegal or comes twice.
  init(_ listing: ItemListing, of store: SecretStore, as form: Form) throws(Failure) {
    self.store = store
    self.form = form
    items = Self.sorted(listing.items)
    lockedCount = listing.lockedCount
    if case .variables(let format, let service) = form {
      try VariableNames(format).check(items, service: service)
    }
  }

  /// Writes everything; the secrets are read one by one.
  ///
  /// - Throws: A failure where a secret cannot be read or does not fit the format; what `checkpoint` throws,
  ///   which is called now and then.
  func write(to output: Output, checkpoint: () throws -> Void = {}) throws {
    try output.write(opening)
    var isFirst = true
    for item in items {
      try checkpoint()
      // What was removed since the listing is passed over.
      guard let (item, secret) = try store.contents(of: item.identity) else { continue }
      switch form {
      case .json:
        if !isFirst { try output.write(",") }
        try output.write(ExportedItem(item, secret: secret).document)
      case .variables(let format, _):
        try ExportedVariable(item, secret: secret).write(to: output, as: format)
      }
      isFirst = false
    }
    try output.write(closing)
    try output.flush()
  }

  /// Puts items in an order that is the same in every export.
  private static func sorted(_ items: [SecretItem]) -> [SecretItem] {
    // The keys are made once, not at each comparison.
    items.map { (key: sortKey(of: $0.identity), item: $0) }
      .sorted { left, right in
        left.key.lexicographicallyPrecedes(right.key) { $0.lexicographicallyPrecedes($1) }
      }
      .map(\.item)
  }

  private static func sortKey(of identity: ItemIdentity) -> [[UInt8]] {
    [
      Array((identity.group ?? "").utf8), [identity.kind == .genericPassword ? 0 : 1],
      identity.service.bytes, identity.account.bytes, identity.securityDomain.bytes,
      identity.networkProtocol.bytes, identity.authenticationType.bytes,
      [UInt8(identity.port >> 8), UInt8(truncatingIfNeeded: identity.port)],
      identity.path.bytes, [identity.isSynchronizable ? 1 : 0],
    ]
  }

  private var opening: String {
    switch form {
    case .json: "{\"version\":1,\"items\":["
    case .variables(.k8s, let service):
      """
      apiVersion: v1
      kind: Secret
      metadata:
        name: "\(service)"
      type: Opaque
      data:

      """
    case .variables: ""
    }
  }

  private var closing: String {
    switch form {
    case .json: "],\"locked\":\(lockedCount)}\n"
    case .variables: ""
    }
  }
}
