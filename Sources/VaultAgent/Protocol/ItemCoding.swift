package import SecretVault

// How what describes items travels.

extension OutgoingMessage {
  /// Writes what a listing is to be about.
  package mutating func append(_ query: ItemQuery) {
    append(query.service) { $0.append($1) }
    append(query.account) { $0.append($1) }
    append(query.group) { $0.append($1) }
    append(query.accessibility) { $0.append($1.rawValue) }
    append(query.isSynchronizable) { $0.append($1) }
    append(query.kind) { $0.append($1.byte) }
    append(query.expiringBefore) { $0.append($1.millisecondsSince1970) }
  }

  /// Writes what a write changes.
  package mutating func append(_ changes: ItemChanges) {
    append(changes.accessibility) { $0.append($1.rawValue) }
    append(changes.label) { $0.append($1) }
    append(changes.comment) { $0.append($1) }
    append(changes.expires) { $0.append($1) }
    append(changes.versionsKept) { $0.append(UInt8(clamping: $1)) }
    append(changes.mustRevalidate) { $0.append($1) }
  }

  /// Writes which earlier secrets of an item there are.
  mutating func append(_ versions: [ItemVersion]) {
    append(UInt32(clamping: versions.count))
    for version in versions {
      append(version.version)
      append(version.modified.millisecondsSince1970)
    }
  }

  private mutating func append(_ expiry: ItemChanges.Expiry) {
    switch expiry {
    case .never: append(false)
    case .at(let moment):
      append(true)
      append(moment.millisecondsSince1970)
    }
  }

  private mutating func append(_ value: AttributeValue) {
    append(value.form.rawValue)
    appendPrefixed(value.bytes)
  }
}

extension MessageReader {
  /// Reads what a listing is to be about.
  package mutating func query() throws(MalformedMessage) -> ItemQuery {
    ItemQuery(
      service: try optional { reader throws(MalformedMessage) in try reader.attributeValue() },
      account: try optional { reader throws(MalformedMessage) in try reader.attributeValue() },
      group: try optional { reader throws(MalformedMessage) in try reader.text() },
      accessibility: try optional { reader throws(MalformedMessage) in try reader.accessibility() },
      isSynchronizable: try optional { reader throws(MalformedMessage) in try reader.flag() },
      kind: try optional { reader throws(MalformedMessage) in try reader.itemKind() },
      expiringBefore: try optional { reader throws(MalformedMessage) in try reader.timestamp() }
    )
  }

  /// Reads what a write changes.
  package mutating func changes() throws(MalformedMessage) -> ItemChanges {
    ItemChanges(
      accessibility: try optional { reader throws(MalformedMessage) in try reader.accessibility() },
      label: try optional { reader throws(MalformedMessage) in try reader.text() },
      comment: try optional { reader throws(MalformedMessage) in try reader.text() },
      expires: try optional { reader throws(MalformedMessage) in
        try reader.expiry()
      },
      versionsKept: try optional { reader throws(MalformedMessage) in
        Int(try reader.integer(as: UInt8.self))
      },
      mustRevalidate: try optional { reader throws(MalformedMessage) in try reader.flag() }
    )
  }

  /// Reads which earlier secrets of an item there are.
  mutating func itemVersions() throws(MalformedMessage) -> [ItemVersion] {
    var versions: [ItemVersion] = []
    for _ in 0..<(try integer(as: UInt32.self)) {
      versions.append(ItemVersion(version: try integer(), modified: try timestamp()))
    }
    return versions
  }

  private mutating func timestamp() throws(MalformedMessage) -> Timestamp {
    Timestamp(millisecondsSince1970: try integer())
  }

  private mutating func expiry() throws(MalformedMessage) -> ItemChanges.Expiry {
    guard try flag() else { return .never }
    return .at(try timestamp())
  }

  private mutating func attributeValue() throws(MalformedMessage) -> AttributeValue {
    guard let form = AttributeValue.Form(rawValue: try integer()) else { throw MalformedMessage() }
    return AttributeValue(bytes: try bytes(), form: form)
  }

  private mutating func accessibility() throws(MalformedMessage) -> Accessibility {
    guard let accessibility = Accessibility(rawValue: try text()) else { throw MalformedMessage() }
    return accessibility
  }

  private mutating func itemKind() throws(MalformedMessage) -> ItemKind {
    guard let kind = ItemKind(byte: try integer()) else { throw MalformedMessage() }
    return kind
  }
}
