import VaultFormat

/// An attribute that the keychain's calls set, match and return.
package enum ItemAttribute: Hashable, Sendable, CaseIterable {
  case account, service, label, itemDescription, comment, generic, alias
  case server, securityDomain, networkProtocol, authenticationType, port, path
  case creator, itemType, isInvisible, isNegative
  case created, modified

  var tag: AttributeTag {
    switch self {
    case .account: .account
    case .service: .service
    case .label: .label
    case .itemDescription: .itemDescription
    case .comment: .comment
    case .generic: .generic
    case .alias: .alias
    case .server: .server
    case .securityDomain: .securityDomain
    case .networkProtocol: .networkProtocol
    case .authenticationType: .authenticationType
    case .port: .port
    case .path: .path
    case .creator: .creator
    case .itemType: .itemType
    case .isInvisible: .invisible
    case .isNegative: .negative
    case .created: .created
    case .modified: .modified
    }
  }

  /// The width of an integer in bytes, big-endian; `nil` for a value of any length.
  package var byteCount: Int? { tag.fixedByteCount }

  /// The attributes that name an item of a kind.
  package static func identity(of kind: ItemKind) -> [ItemAttribute] {
    switch kind {
    case .genericPassword: [.service, .account]
    case .internetPassword:
      [.server, .account, .securityDomain, .networkProtocol, .authenticationType, .port, .path]
    }
  }
}

extension SecretItem {
  /// Describes an item that is to be stored; what names it and is not given is empty, or the port 0.
  package init(
    kind: ItemKind,
    group: String,
    isSynchronizable: Bool,
    accessibility: Accessibility,
    attributes: [ItemAttribute: AttributeValue]
  ) {
    let input = LookupInput.unnamed(kind, isSynchronizable: isSynchronizable)
    self.init(identity: ItemIdentity(input: input, group: group), accessibility: accessibility)
    for (attribute, value) in attributes { self[attribute] = value }
  }

  /// Whether this is a generic or an internet password; `nil` for a kind of a newer version.
  package var kind: ItemKind? { ItemKind(byte: kindByte) }

  /// Whether the item is synchronizable; setting it makes it another item.
  package var isSynchronizable: Bool {
    get { isMarkedSynchronizable }
    set { isMarkedSynchronizable = newValue }
  }

  /// One attribute as it is kept: an integer as big-endian bytes.
  package subscript(attribute: ItemAttribute) -> AttributeValue? {
    get { attributes.value(attribute.tag) }
    set { attributes.set(attribute.tag, newValue) }
  }
}

extension AttributeValue {
  /// Makes a value from a number, kept as its decimal digits.
  package init(number: Int64) {
    self.init(bytes: Array(String(number).utf8), form: .number)
  }

  /// Makes a value from the bytes of an attribute whose form is always the same.
  package init(fixed bytes: [UInt8]) {
    self.init(bytes: bytes, form: .text)
  }
}
