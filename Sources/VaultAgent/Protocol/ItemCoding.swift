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
  }

  /// Writes what a write changes.
  package mutating func append(_ changes: ItemChanges) {
    append(changes.accessibility) { $0.append($1.rawValue) }
    append(changes.label) { $0.append($1) }
    append(changes.comment) { $0.append($1) }
    append(changes.expires) { $0.append($1) }
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
      kind: try optional { reader throws(MalformedMessage) in try reader.itemKind() }
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
      }
    )
  }

  private mutating func expiry() throws(MalformedMessage) -> ItemChanges.Expiry {
    guard try flag() else { return .never }
    return .at(Timestamp(millisecondsSince1970: try integer()))
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
