package import VaultFormat

/// An item without its secret: what names it, when it can be used, and what is noted about it.
public struct SecretItem: Sendable {
  /// The class that decides when the item can be used.
  public var accessibility: Accessibility

  /// The group's counter at the commit that last changed the item; 0 for an item that is not stored.
  public let version: UInt64

  /// The item's permanent name inside the vault, 32 hexadecimal digits; empty when not stored.
  public var itemID: String { storedID?.hex ?? "" }

  package let storedID: Identifier?
  package var attributes: ItemAttributes
  package var kindByte: UInt8
  package var isMarkedSynchronizable: Bool
  package var groupName: String?

  /// Describes an item that is to be stored.
  public init(identity: ItemIdentity, accessibility: Accessibility = .whenUnlocked) {
    self.accessibility = accessibility
    version = 0
    storedID = nil
    attributes = ItemAttributes(identity)
    kindByte = identity.input.kind
    isMarkedSynchronizable = identity.isSynchronizable
    groupName = identity.group
  }

  package init(
    claim: Claim,
    accessibility: Accessibility,
    attributes: ItemAttributes,
    group: String?
  ) {
    self.accessibility = accessibility
    version = claim.version
    storedID = claim.itemID
    self.attributes = attributes
    kindByte = claim.kind
    isMarkedSynchronizable = claim.flags.contains(.synchronizable)
    groupName = group
  }

  package init(
    kindByte: UInt8,
    isMarkedSynchronizable: Bool,
    accessibility: Accessibility,
    version: UInt64,
    storedID: Identifier?,
    attributes: ItemAttributes,
    groupName: String?
  ) {
    self.kindByte = kindByte
    self.isMarkedSynchronizable = isMarkedSynchronizable
    self.accessibility = accessibility
    self.version = version
    self.storedID = storedID
    self.attributes = attributes
    self.groupName = groupName
  }
}

extension SecretItem {
  /// What names the item; changing it in an update renames the item.
  public var identity: ItemIdentity {
    get {
      attributes.identity(
        kind: kindByte,
        isSynchronizable: isMarkedSynchronizable,
        group: groupName
      )
    }
    set {
      attributes.setIdentity(newValue)
      kindByte = newValue.input.kind
      isMarkedSynchronizable = newValue.isSynchronizable
      groupName = newValue.group
    }
  }

  /// What a person calls the item (`kSecAttrLabel`).
  public var label: AttributeValue? {
    get { attributes.value(.label) }
    set { attributes.set(.label, newValue) }
  }

  /// A remark (`kSecAttrComment`).
  public var comment: AttributeValue? {
    get { attributes.value(.comment) }
    set { attributes.set(.comment, newValue) }
  }

  /// What kind of secret it is, in words (`kSecAttrDescription`).
  public var itemDescription: AttributeValue? {
    get { attributes.value(.itemDescription) }
    set { attributes.set(.itemDescription, newValue) }
  }

  /// Bytes of the caller's own, sealed with the attributes (`kSecAttrGeneric`).
  public var generic: AttributeValue? {
    get { attributes.value(.generic) }
    set { attributes.set(.generic, newValue) }
  }

  /// A second name (`kSecAttrAlias`).
  public var alias: AttributeValue? {
    get { attributes.value(.alias) }
    set { attributes.set(.alias, newValue) }
  }

  /// A four-character code of the creator (`kSecAttrCreator`).
  public var creator: UInt32? {
    get { attributes.integer(.creator).map { UInt32(truncatingIfNeeded: $0) } }
    set { attributes.set(.creator, integer: newValue.map(UInt64.init), byteCount: 4) }
  }

  /// A four-character code of the type (`kSecAttrType`).
  public var itemType: UInt32? {
    get { attributes.integer(.itemType).map { UInt32(truncatingIfNeeded: $0) } }
    set { attributes.set(.itemType, integer: newValue.map(UInt64.init), byteCount: 4) }
  }

  /// Whether the item is hidden from people's lists (`kSecAttrIsInvisible`).
  public var isInvisible: Bool? {
    get { attributes.integer(.invisible).map { $0 != 0 } }
    set { attributes.set(.invisible, integer: newValue.map { $0 ? 1 : 0 }, byteCount: 1) }
  }

  /// Whether the item says that there is no valid password (`kSecAttrIsNegative`).
  public var isNegative: Bool? {
    get { attributes.integer(.negative).map { $0 != 0 } }
    set { attributes.set(.negative, integer: newValue.map { $0 ? 1 : 0 }, byteCount: 1) }
  }

  /// When the item was first stored (`kSecAttrCreationDate`).
  ///
  /// An item that comes from elsewhere can bring its own.
  public package(set) var created: Timestamp? {
    get { attributes.integer(.created).map { Timestamp(millisecondsSince1970: $0) } }
    set { attributes.set(.created, integer: newValue?.millisecondsSince1970, byteCount: 8) }
  }

  /// When the item was last changed (`kSecAttrModificationDate`).
  public var modified: Timestamp? {
    attributes.integer(.modified).map { Timestamp(millisecondsSince1970: $0) }
  }

  /// From when on the secret is no longer given out; `nil` for an item that does not expire.
  public var expires: Timestamp? {
    get { attributes.integer(.expires).map { Timestamp(millisecondsSince1970: $0) } }
    set { attributes.set(.expires, integer: newValue?.millisecondsSince1970, byteCount: 8) }
  }

  /// Whether the item, once it came back with a restored backup, must be written again before its secret is given
  /// out.
  public var mustRevalidate: Bool {
    get { attributes.integer(.revalidate) == 1 }
    set { attributes.set(.revalidate, integer: newValue ? 1 : nil, byteCount: 1) }
  }

  /// How many earlier secrets are kept when the secret is written over; 0 for none.
  ///
  /// What is set counts as the nearest number from 0 to 255. A change counts from the write that makes it, also for
  /// what is kept already.
  public var versionsKept: Int {
    get { Int(clamping: attributes.integer(.versionsKept) ?? 0) }
    set {
      attributes.set(.versionsKept, integer: UInt64(UInt8(clamping: newValue)), byteCount: 1)
    }
  }

  /// How many earlier secrets the vault has; `history(of:)` tells which.
  public var historyCount: Int { Int(clamping: attributes.integer(.historyCount) ?? 0) }

  /// Whether the item was stored without a secret, which is not the same as an empty one.
  public var hasNoSecret: Bool { attributes.integer(.noValue) == 1 }

  /// An attribute of the application's own, under a number from 64 to 127.
  public subscript(applicationAttribute number: UInt8) -> AttributeValue? {
    get {
      guard AttributeTag.applicationTags.contains(number) else { return nil }
      return attributes.value(AttributeTag(rawValue: number))
    }
    set {
      guard AttributeTag.applicationTags.contains(number) else { return }
      attributes.set(AttributeTag(rawValue: number), newValue)
    }
  }
}
