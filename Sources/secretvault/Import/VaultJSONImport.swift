import SecretVault

/// The JSON that `export --format json` makes, version 1.
///
/// Every item comes back as it was, with all its attributes and the moment at which it was made; `null`, or
/// a member that is missing, is an attribute that the item does not have, and a `null` secret an item
/// without one. Other members are passed over.
enum VaultJSONImport {
  /// Whether an object is such an export.
  static func recognizes(_ document: JSONMembers, in text: Span<UInt8>) throws(ImportFlaw) -> Bool {
    let version = try document.node("version", in: text)
    let items = try document.node("items", in: text)
    return version != nil && items != nil
  }

  /// Reads all rows.
  ///
  /// - Throws: The first ``ImportFlaw``, or an error where no locked memory is left.
  static func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    let document = try JSONMembers(JSONReader.document(in: text))
    guard try document.number("version", as: UInt64.self, in: text) == 1 else {
      throw ImportFlaw("the export is not of version 1, the only one known", at: document.offset)
    }
    guard try document.node("items", in: text) != nil else {
      throw ImportFlaw("the export has no items", at: document.offset)
    }
    var lines = LineCounter()
    return try document.elements("items", in: text).map { node in
      let members = try VaultJSONItem(node, in: text)
      return ImportRow(
        line: lines.line(at: node.offset, in: text),
        item: try members.item(in: text),
        secret: try members.secret(in: text)
      )
    }
  }
}

/// The members of one exported item.
private struct VaultJSONItem {
  private let members: JSONMembers
  private let forms: JSONMembers?

  init(_ node: JSONNode, in text: Span<UInt8>) throws(ImportFlaw) {
    members = try JSONMembers(node)
    forms = try members.object("forms", in: text)
  }

  func item(in text: Span<UInt8>) throws -> SecretItem {
    var item = SecretItem(
      identity: try identity(in: text),
      accessibility: try accessibility(in: text)
    )
    item.label = try value("label", in: text)
    item.comment = try value("comment", in: text)
    item.itemDescription = try value("description", in: text)
    item.alias = try value("alias", in: text)
    item.generic = try value("generic", in: text)
    item.creator = try members.number("creator", as: UInt32.self, in: text)
    item.itemType = try members.number("type", as: UInt32.self, in: text)
    item.isInvisible = try members.bool("invisible", in: text)
    item.isNegative = try members.bool("negative", in: text)
    item.created = try moment("created", in: text)
    item.expires = try moment("expires", in: text)
    if let kept = try members.number("versionsKept", as: UInt8.self, in: text) {
      item.versionsKept = Int(kept)
    }
    item.mustRevalidate = try members.bool("revalidate", in: text) ?? false
    try readApplicationAttributes(into: &item, in: text)
    return item
  }

  private func readApplicationAttributes(
    into item: inout SecretItem,
    in text: Span<UInt8>
  ) throws {
    var numbers: Set<UInt8> = []
    for (name, node) in try members.object("application", in: text)?.all ?? [] {
      let digits = String(decoding: name.bytes(in: text), as: UTF8.self)
      guard let number = UInt8(digits), (64...127).contains(number),
        numbers.insert(number).inserted
      else {
        throw ImportFlaw("an attribute has no number of its own from 64 to 127", at: node.offset)
      }
      item[applicationAttribute: number] = try value(node, named: digits, in: text)
    }
  }

  /// The secret; `nil` for an item without one.
  func secret(in text: Span<UInt8>) throws -> SecretBytes? {
    guard let secret = try members.object("secret", in: text) else { return nil }
    return try Self.bytes(of: secret, in: text)
  }

  private func identity(in text: Span<UInt8>) throws -> ItemIdentity {
    guard let service = try value("service", in: text) else {
      throw ImportFlaw("an item has no service", at: members.offset)
    }
    let account = try value("account", in: text) ?? ""
    let group = try members.string("group", in: text).map { group in
      String(decoding: group.bytes(in: text), as: UTF8.self)
    }
    let isSynchronizable = try members.bool("synchronizable", in: text) ?? false
    let kind = try members.string("kind", in: text)
    if kind?.equals("genericPassword", in: text) ?? false {
      return ItemIdentity(
        serviceValue: service,
        account: account,
        group: group,
        isSynchronizable: isSynchronizable
      )
    }
    guard kind?.equals("internetPassword", in: text) ?? false else {
      throw ImportFlaw("an item has no kind that is known", at: members.offset)
    }
    return ItemIdentity(
      server: service,
      account: account,
      securityDomain: try value("securityDomain", in: text) ?? "",
      networkProtocol: try value("protocol", in: text) ?? "",
      authenticationType: try value("authenticationType", in: text) ?? "",
      port: try members.number("port", as: UInt16.self, in: text) ?? 0,
      path: try value("path", in: text) ?? "",
      group: group,
      isSynchronizable: isSynchronizable
    )
  }

  private func accessibility(in text: Span<UInt8>) throws(ImportFlaw) -> Accessibility {
    guard let name = try members.string("accessibility", in: text) else { return .whenUnlocked }
    let text = String(decoding: name.bytes(in: text), as: UTF8.self)
    guard let accessibility = Accessibility(rawValue: text) else {
      throw ImportFlaw("an item has no accessibility class that is known", at: members.offset)
    }
    return accessibility
  }

  private func moment(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> Timestamp? {
    guard let value = try members.string(name, in: text) else { return nil }
    guard let moment = MomentText.moment(String(decoding: value.bytes(in: text), as: UTF8.self))
    else { throw ImportFlaw("\(name) is no moment", at: members.offset) }
    return moment
  }

  private func value(_ name: StaticString, in text: Span<UInt8>) throws -> AttributeValue? {
    guard let node = try members.node(name, in: text) else { return nil }
    return try value(node, named: name.description, in: text)
  }

  private func value(
    _ node: JSONNode,
    named name: String,
    in text: Span<UInt8>
  ) throws -> AttributeValue? {
    let bytes: [UInt8]
    switch node.value {
    case .null: return nil
    case .string(let value): bytes = value.bytes(in: text)
    default: bytes = try Self.bytes(of: JSONMembers(node), in: text).copied(as: [UInt8].self)
    }
    return AttributeValue(bytes: bytes, form: try form(of: name, bytes, in: text))
  }

  private func form(
    of name: String,
    _ bytes: [UInt8],
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> AttributeValue.Form {
    let entry = forms?.all.first { $0.name.bytes(in: text).elementsEqual(name.utf8) }
    guard let entry else { return .text }
    if case .string(let form) = entry.node.value {
      if form.equals("data", in: text) { return .data }
      let isNumber = Int64(String(decoding: bytes, as: UTF8.self)) != nil
      if form.equals("number", in: text), isNumber { return .number }
    }
    throw ImportFlaw("an attribute has a form that is not known", at: entry.node.offset)
  }

  /// The bytes of an object with an encoding and a value.
  private static func bytes(of object: JSONMembers, in text: Span<UInt8>) throws -> SecretBytes {
    guard let value = try object.string("value", in: text),
      let encoding = try object.string("encoding", in: text)
    else { throw ImportFlaw("a value has no encoding", at: object.offset) }
    let bytes = try value.secret(in: text)
    if encoding.equals("utf8", in: text) { return bytes }
    guard encoding.equals("base64", in: text), let decoded = try Base64.decode(bytes) else {
      throw ImportFlaw("a value is neither utf8 nor well-formed base64", at: object.offset)
    }
    return decoded
  }
}
