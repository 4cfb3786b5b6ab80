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
    storage = Self.encode(AttributeEntries(), naming: identity)
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
    var entries = self.entries
    for (tag, bytes) in values { entries[tag] = bytes }
    storage = Self.encode(entries)
  }

  /// Sets or removes one value and notes its form.
  package mutating func set(_ tag: AttributeTag, _ value: AttributeValue?) {
    var entries = self.entries
    entries[tag] = value?.bytes
    Self.setForm(value?.form ?? .text, of: tag, in: &entries)
    storage = Self.encode(entries)
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
    storage = Self.encode(entries, naming: identity)
  }

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

  private var entries: AttributeEntries {
    storage.withBytes { list in
      var entries = AttributeEntries()
      // The list was validated when it was taken, so this walk cannot fail.
      try? AttributeCoding.forEach(in: list) { tag, range in
        var bytes: [UInt8] = []
        bytes.append(list.extracting(range))
        entries[tag] = bytes
      }
      return entries
    }
  }

  private static func encode(
    _ entries: AttributeEntries,
    naming identity: ItemIdentity
  ) -> WipedBytes {
    var entries = entries
    for tag in ItemKind.allCases.flatMap({ AttributeTag.identity(ofKind: $0.byte) })
    where entries[tag] != nil {
      entries[tag] = nil
      setForm(.text, of: tag, in: &entries)
    }
    for (tag, bytes) in identity.input.attributes { entries[tag] = bytes }
    for (tag, form) in identity.forms { setForm(form, of: tag, in: &entries) }
    return encode(entries)
  }

  /// Writes the list, however long: limits are checked when the item is stored.
  private static func encode(_ entries: AttributeEntries) -> WipedBytes {
    var list: [UInt8] = []
    list.reserveCapacity(entries.list.reduce(0) { $0 + $1.bytes.count + 5 })
    for (tag, bytes) in entries.list {
      list.append(tag.rawValue)
      list.append(lengthPrefixed: bytes.span)
    }
    defer {
      var bytes = list.mutableSpan
      ConstantTime.wipe(&bytes)
    }
    return WipedBytes(copying: list.span)
  }

  private func form(of tag: AttributeTag) -> AttributeValue.Form {
    guard let forms = bytes(.forms) else { return .text }
    for index in stride(from: 0, to: forms.count - 1, by: 2) where forms[index] == tag.rawValue {
      return AttributeValue.Form(rawValue: forms[index + 1]) ?? .data
    }
    return .text
  }

  private static func setForm(
    _ form: AttributeValue.Form,
    of tag: AttributeTag,
    in entries: inout AttributeEntries
  ) {
    let known = entries[.forms]
    // Nearly all values are text, and what is text is not listed.
    if known == nil, form == .text { return }
    var forms: [UInt8: UInt8] = [:]
    let old = known ?? []
    for index in stride(from: 0, to: old.count - 1, by: 2) { forms[old[index]] = old[index + 1] }
    forms[tag.rawValue] = form == .text ? nil : form.rawValue
    entries[.forms] =
      forms.isEmpty ? nil : forms.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
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
