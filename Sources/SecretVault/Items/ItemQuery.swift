/// Which items a listing is about; every criterion that is set must hold.
public struct ItemQuery: Sendable {
  /// The service of a generic password, or the server of an internet password.
  public var service: AttributeValue?
  /// The account.
  public var account: AttributeValue?
  /// The name of an access group; `nil` covers all groups that the credential opened.
  public var group: String?
  /// The accessibility class.
  public var accessibility: Accessibility?
  /// Whether the item is synchronizable.
  public var isSynchronizable: Bool?
  /// Generic or internet passwords.
  public var kind: ItemKind?
  /// A moment before which the item expires; what has expired already does.
  public var expiringBefore: Timestamp?

  /// Every item.
  public static let all = ItemQuery()

  /// Every item that expires before a moment, also what has expired already.
  public static func expiring(before moment: Timestamp) -> ItemQuery {
    ItemQuery(expiringBefore: moment)
  }

  /// Makes a query; what is left out does not restrict it.
  public init(
    service: AttributeValue? = nil,
    account: AttributeValue? = nil,
    group: String? = nil,
    accessibility: Accessibility? = nil,
    isSynchronizable: Bool? = nil,
    kind: ItemKind? = nil,
    expiringBefore: Timestamp? = nil
  ) {
    self.service = service
    self.account = account
    self.group = group
    self.accessibility = accessibility
    self.isSynchronizable = isSynchronizable
    self.kind = kind
    self.expiringBefore = expiringBefore
  }
}

/// What a listing found, and what it could not look into.
public struct ItemListing: Sendable {
  /// The items, without their secrets, in no promised order.
  public var items: [SecretItem] = []
  /// How many items have a class that is locked now; their names cannot be read.
  public var lockedCount = 0
  /// How many items are bound to another device, or to a device key that is missing here.
  public var otherDeviceCount = 0
  /// How many items a newer version wrote.
  public var unsupportedCount = 0

  package init() {}
}
