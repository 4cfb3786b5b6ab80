import SecretVault

/// An item as the output shows it.
struct ItemText {
  private let item: SecretItem

  init(_ item: SecretItem) { self.item = item }

  /// Group, service and account, escaped and separated by tabs.
  var line: String { Self.line(item.identity) }

  /// Group, service and account of what is known by its name alone, as in `line`.
  static func line(_ identity: ItemIdentity) -> String {
    [
      identity.group.map { Array($0.utf8) } ?? [], identity.service.bytes, identity.account.bytes,
    ]
    .map(TextEscaping.escaped)
    .joined(separator: "\t")
  }

  /// The attributes that the item has, each with its name, escaped.
  var fields: [(name: String, value: String)] {
    let identity = item.identity
    let fields: [(name: String, value: String?)] = [
      ("group", identity.group.map(TextEscaping.escaped)),
      ("kind", Self.name(of: identity.kind)),
      ("service", TextEscaping.escaped(identity.service.bytes)),
      ("account", TextEscaping.escaped(identity.account.bytes)),
      ("synchronizable", identity.isSynchronizable ? "yes" : "no"),
      ("accessibility", item.accessibility.rawValue),
      ("label", item.label.map { TextEscaping.escaped($0.bytes) }),
      ("comment", item.comment.map { TextEscaping.escaped($0.bytes) }),
      ("created", item.created.flatMap(TimestampText.utc)),
      ("modified", item.modified.flatMap(TimestampText.utc)),
      ("version", String(item.version)),
      ("expires", item.expires.flatMap(TimestampText.utc)),
      ("history", item.versionsKept > 0 ? "\(item.historyCount) of \(item.versionsKept)" : nil),
      ("revalidate", item.mustRevalidate ? "yes" : nil),
    ]
    return fields.compactMap { field in field.value.map { (field.name, $0) } }
  }

  /// The members of the item in JSON, all of them, absent ones as null.
  var members: [(name: String, value: JSON)] {
    let identity = item.identity
    return [
      ("group", identity.group.map { .string($0) } ?? .null),
      ("kind", .string(Self.name(of: identity.kind))),
      ("service", .bytes(identity.service.bytes)),
      ("account", .bytes(identity.account.bytes)),
      ("synchronizable", .bool(identity.isSynchronizable)),
      ("accessibility", .string(item.accessibility.rawValue)),
      ("label", item.label.map { .bytes($0.bytes) } ?? .null),
      ("comment", item.comment.map { .bytes($0.bytes) } ?? .null),
      ("created", item.created.flatMap(TimestampText.utc).map { .string($0) } ?? .null),
      ("modified", item.modified.flatMap(TimestampText.utc).map { .string($0) } ?? .null),
      ("version", .number(item.version)),
      ("expires", item.expires.flatMap(TimestampText.utc).map { .string($0) } ?? .null),
      ("versionsKept", .number(UInt64(item.versionsKept))),
      ("historyCount", .number(UInt64(item.historyCount))),
      ("revalidate", .bool(item.mustRevalidate)),
    ]
  }

  /// What a kind of item is called.
  static func name(of kind: ItemKind) -> String {
    switch kind {
    case .genericPassword: "genericPassword"
    case .internetPassword: "internetPassword"
    }
  }
}
