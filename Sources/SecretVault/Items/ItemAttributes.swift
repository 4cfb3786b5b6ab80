import SecretMemory
package import VaultFormat

/// The attributes of one item as they are sealed: tagged values in one buffer, wiped at the end.
///
/// Values are decoded when they are asked for, so that a long listing stays cheap.
package struct ItemAttributes: Sendable {
  private var storage: WipedBytes

  /// Takes a list that `AttributeCoding` has validated.
  package init(validated list: Span<UInt8>) {
    storage = WipedBytes(copying: list)
  }

  /// Starts with the attributes that name an item.
  package init(_ identity: ItemIdentity) {
    storage = WipedBytes(copying: Span())
    set(Self.parts(of: identity) + formChange(identity.forms.keys, to: identity.forms))
  }

  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withBytes(body)
  }

  /// The bytes of one value.
  package func bytes(_ tag: AttributeTag) -> [UInt8]? {
    storage.withBytes { list in
      guard let range = AttributeCoding.range(of: tag, in: list) else { return nil }
      var bytes: [UInt8] = []
      bytes.append(list.extracting(range))
      return bytes
    }
  }

  /// One value with the form in which it was given.
  package func value(_ tag: AttributeTag) -> AttributeValue? {
    bytes(tag).map { AttributeValue(bytes: $0, form: form(of: tag)) }
  }

  /// A big-endian integer.
  package func integer(_ tag: AttributeTag) -> UInt64? {
    bytes(tag)?.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Sets or removes several values at once, without regard to forms.
  package mutating func set(_ values: [(tag: AttributeTag, bytes: [UInt8]?)]) {
    let changes = AttributeChanges(values)
    storage = storage.withBytes { changes.apply(to: $0) }
  }

  /// Sets or removes one value and notes its form.
  package mutating func set(_ tag: AttributeTag, _ value: AttributeValue?) {
    let form = value?.form ?? .text
    let forms = formChange([tag], to: form == .text ? [:] : [tag: form])
    set([(tag, value?.bytes)] + forms)
  }

  /// Sets or removes an integer of `byteCount` bytes, big-endian.
  package mutating func set(_ tag: AttributeTag, integer: UInt64?, byteCount: Int) {
    set([(tag, integer.map { Self.bytes($0, count: byteCount) })])
  }

  /// The low bytes of an integer, big-endian.
  package static func bytes(_ integer: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: integer >> UInt64((count - 1 - $0) * 8)) }
  }

  /// Replaces what names the item, and nothing else.
  package mutating func setIdentity(_ identity: ItemIdentity) {
    let parts = Self.parts(of: identity)
    let others = Self.identityTags.filter { tag in !parts.contains { $0.tag == tag } }
    set(
      parts + others.map { ($0, nil) } + formChange(Self.identityTags, to: identity.forms)
    )
  }

  private static func parts(of identity: ItemIdentity) -> [(tag: AttributeTag, bytes: [UInt8]?)] {
    identity.input.attributes.map { ($0.0, $0.1) }
  }

  /// What names an item of any kind.
  private static let identityTags = Set(
    ItemKind.allCases.flatMap { AttributeTag.identity(ofKind: $0.byte) }
  )

  /// Reads what names the item.
  package func identity(
    kind: UInt8,
    isSynchronizable: Bool,
    group: String?
  ) -> ItemIdentity {
    // Not by parsing: a part that was not stored yet can be longer than what is read.
    let itemKind = ItemKind(byte: kind) ?? .internetPassword
    var input = LookupInput.unnamed(itemKind, isSynchronizable: isSynchronizable)
    for tag in AttributeTag.identity(ofKind: kind) {
      if let part = bytes(tag) { input = input.replacing(tag, with: part) }
    }
    var forms: [AttributeTag: AttributeValue.Form] = [:]
    for tag in AttributeTag.identity(ofKind: kind) {
      let form = form(of: tag)
      if form != .text { forms[tag] = form }
    }
    return ItemIdentity(input: input, forms: forms, group: group)
  }

  private func form(of tag: AttributeTag) -> AttributeValue.Form {
    guard let forms = bytes(.forms) else { return .text }
    for index in stride(from: 0, to: forms.count - 1, by: 2) where forms[index] == tag.rawValue {
      return AttributeValue.Form(rawValue: forms[index + 1]) ?? .data
    }
    return .text
  }

  /// What becomes of the list of forms, if anything, where each of the tags gets its new form; one that has none is text.
  private func formChange(
    _ tags: some Sequence<AttributeTag>,
    to new: [AttributeTag: AttributeValue.Form]
  ) -> [(tag: AttributeTag, bytes: [UInt8]?)] {
    let known = bytes(.forms)
    // Nearly all values are text, and what is text is not listed.
    if known == nil, new.isEmpty { return [] }
    var forms: [UInt8: UInt8] = [:]
    let old = known ?? []
    for index in stride(from: 0, to: old.count - 1, by: 2) { forms[old[index]] = old[index + 1] }
    for tag in tags {
      let form = new[tag] ?? .text
      forms[tag.rawValue] = form == .text ? nil : form.rawValue
    }
    let listed = forms.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    return [(.forms, listed.isEmpty ? nil : listed)]
  }
}

extension LookupInput {
  /// The name of an item whose every part is empty.
  static func unnamed(_ kind: ItemKind, isSynchronizable: Bool) -> LookupInput {
    switch kind {
    case .genericPassword:
      LookupInput(service: [], account: [], isSynchronizable: isSynchronizable)
    case .internetPassword:
      LookupInput(
        server: [],
        account: [],
        securityDomain: [],
        networkProtocol: [],
        authenticationType: [],
        port: 0,
        path: [],
        isSynchronizable: isSynchronizable
      )
    }
  }
}
