import SecretVault

/// An item as the JSON export has it: everything that makes the item, so that an import makes the same.
///
/// What a vault gives anew is left out: version, date of the last change, earlier secrets.
struct ExportedItem {
  private let item: SecretItem
  private let secret: SecretBytes?

  init(_ item: SecretItem, secret: SecretBytes?) {
    self.item = item
    self.secret = secret
  }

  /// The item as an object with all members in a fixed order, absent ones as null.
  var document: JSON {
    let identity = item.identity
    return .object(
      [
        ("group", identity.group.map { .string($0) } ?? .null),
        ("kind", .string(ItemText.name(of: identity.kind))),
        ("service", .bytes(identity.service.bytes)),
        ("account", .bytes(identity.account.bytes)),
        ("synchronizable", .bool(identity.isSynchronizable)),
      ] + serverMembers + [
        ("accessibility", .string(item.accessibility.rawValue)),
        ("label", Self.value(item.label)),
        ("comment", Self.value(item.comment)),
        ("description", Self.value(item.itemDescription)),
        ("alias", Self.value(item.alias)),
        ("generic", Self.value(item.generic)),
        ("creator", Self.number(item.creator)),
        ("type", Self.number(item.itemType)),
        ("invisible", item.isInvisible.map { .bool($0) } ?? .null),
        ("negative", item.isNegative.map { .bool($0) } ?? .null),
        ("created", Self.moment(item.created)),
        ("expires", Self.moment(item.expires)),
        ("versionsKept", item.versionsKept > 0 ? .number(UInt64(item.versionsKept)) : .null),
        ("revalidate", item.mustRevalidate ? .bool(true) : .null),
        ("application", .object(applicationMembers)),
        ("forms", .object(forms)),
        ("secret", secret.map { .secret($0) } ?? .null),
      ]
    )
  }

  /// What names an internet password beside server and account.
  private var serverMembers: [(name: String, value: JSON)] {
    let identity = item.identity
    let isServer = identity.kind == .internetPassword
    let parts = [
      ("securityDomain", identity.securityDomain), ("protocol", identity.networkProtocol),
      ("authenticationType", identity.authenticationType), ("path", identity.path),
    ]
    return parts.map { ($0.0, isServer ? .bytes($0.1.bytes) : .null) }
      + [("port", isServer ? .number(UInt64(identity.port)) : .null)]
  }

  private var applicationMembers: [(name: String, value: JSON)] {
    applicationValues.map { ($0.name, .bytes($0.value.bytes)) }
  }

  /// How the values were given that were not given as text.
  private var forms: [(name: String, value: JSON)] {
    let identity = item.identity
    let values: [(name: String, value: AttributeValue?)] =
      [
        ("service", identity.service), ("account", identity.account),
        ("securityDomain", identity.securityDomain), ("protocol", identity.networkProtocol),
        ("authenticationType", identity.authenticationType), ("path", identity.path),
        ("label", item.label), ("comment", item.comment), ("description", item.itemDescription),
        ("alias", item.alias), ("generic", item.generic),
      ] + applicationValues.map { ($0.name, $0.value) }
    return values.compactMap { name, value in
      switch value?.form {
      case .data: (name, .string("data"))
      case .number: (name, .string("number"))
      case .text, nil: nil
      }
    }
  }

  private var applicationValues: [(name: String, value: AttributeValue)] {
    (64...127).compactMap { number in
      item[applicationAttribute: number].map { (String(number), $0) }
    }
  }

  private static func value(_ value: AttributeValue?) -> JSON {
    value.map { .bytes($0.bytes) } ?? .null
  }

  private static func number(_ number: UInt32?) -> JSON {
    number.map { .number(UInt64($0)) } ?? .null
  }

  private static func moment(_ moment: Timestamp?) -> JSON {
    moment.flatMap(TimestampText.utc).map { .string($0) } ?? .null
  }
}
