import SecretVault

/// `list`: writes the identities of items.
struct ListCommand: Command {
  static let declaration = CommandDeclaration(
    name: "list",
    summary: "list items: group, service and account, one item a line",
    options: [
      OptionGroup("which", [.service, .group, .accessibility, .expiring]),
      OptionGroup("its form", [.null]),
      .credentials, .vault,
    ],
    notes: ["Without --group all access groups are listed that the credential opens."]
  )

  private let vault: VaultAccess
  private let query: ItemQuery
  private let output: ListingOutput

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    query = ItemQuery(
      service: arguments.value(of: .service).map { AttributeValue($0) },
      group: arguments.value(of: .group),
      accessibility: try Accessibility(arguments),
      expiringBefore: try Self.moment(arguments)
    )
    output = ListingOutput(arguments)
  }

  func run(_ console: Console) throws {
    try output.write(vault.withItems(console) { try $0.items(matching: query) }, console)
  }

  private static func moment(_ arguments: ParsedArguments) throws(Failure) -> Timestamp? {
    guard let text = arguments.value(of: .expiring) else { return nil }
    guard let moment = MomentText.momentOrDistance(text, for: .expiring) else {
      throw .usage("--expiring is no moment; give one such as 30d, 12h or 2027-01-31")
    }
    return moment
  }
}

/// `search`: lists items that contain a text.
struct SearchCommand: Command {
  static let declaration = CommandDeclaration(
    name: "search",
    summary: "list items with a text in service, account, label or comment",
    operands: [CommandDeclaration.Operand(name: "TEXT", isRequired: true)],
    options: [
      OptionGroup("which", [.group]), OptionGroup("its form", [.null]), .credentials, .vault,
    ],
    notes: ["Capital and small letters count as the same. No match is no failure."]
  )

  private let vault: VaultAccess
  private let text: String
  private let query: ItemQuery
  private let output: ListingOutput

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    text = (arguments.operand(0) ?? "").lowercased()
    query = ItemQuery(group: arguments.value(of: .group))
    output = ListingOutput(arguments)
  }

  func run(_ console: Console) throws {
    var listing = try vault.withItems(console) { try $0.items(matching: query) }
    listing.items = listing.items.filter(matches)
    try output.write(listing, console)
  }

  private func matches(_ item: SecretItem) -> Bool {
    [item.identity.service, item.identity.account, item.label, item.comment].contains { value in
      guard let value else { return false }
      return String(decoding: value.bytes, as: UTF8.self).lowercased().contains(text)
    }
  }
}

/// How a listing is written.
private struct ListingOutput {
  private let terminator: String

  init(_ arguments: ParsedArguments) { terminator = arguments.has(.null) ? "\0" : "\n" }

  /// Writes the items in a stable order, and beside them how many cannot be shown.
  func write(_ listing: ItemListing, _ console: Console) throws {
    let sorted = listing.items.sorted { left, right in
      Self.sortKey(left).lexicographicallyPrecedes(Self.sortKey(right)) { left, right in
        left.lexicographicallyPrecedes(right)
      }
    }
    if console.usesJSON {
      let entries = sorted.map { JSON.object(ItemText($0).members) }
      let locked = JSON.number(UInt64(listing.lockedCount))
      try console.output.write(
        line: .document([("items", .array(entries)), ("locked", locked)])
      )
    } else {
      for item in sorted { try console.output.write(ItemText(item).line + terminator) }
    }
    let hidden = [
      (listing.lockedCount, "locked; unlock the vault"),
      (listing.otherDeviceCount, "bound to another device; list them there"),
      (listing.unsupportedCount, "written by a newer version; upgrade to see them"),
    ]
    for (count, reason) in hidden where count > 0 {
      console.note("not shown: \(count) that are \(reason)")
    }
  }

  private static func sortKey(_ item: SecretItem) -> [[UInt8]] {
    let identity = item.identity
    return [
      Array((identity.group ?? "").utf8), identity.service.bytes, identity.account.bytes,
      [identity.isSynchronizable ? 1 : 0],
    ]
  }
}
