/// What a write changes about an item besides its secret; what is `nil` stays as it is.
public struct ItemChanges: Sendable {
  /// The class that decides when the item can be used.
  public var accessibility: Accessibility?
  /// What a person calls the item.
  public var label: String?
  /// A remark.
  public var comment: String?
  /// The moment from which the secret is no longer given out.
  public var expires: Timestamp?

  /// Changes what is given, and nothing else.
  public init(
    accessibility: Accessibility? = nil,
    label: String? = nil,
    comment: String? = nil,
    expires: Timestamp? = nil
  ) {
    self.accessibility = accessibility
    self.label = label
    self.comment = comment
    self.expires = expires
  }

  /// Whether nothing is changed.
  public var isEmpty: Bool {
    accessibility == nil && label == nil && comment == nil && expires == nil
  }

  /// Makes the changes.
  public func apply(to item: inout SecretItem) {
    if let accessibility { item.accessibility = accessibility }
    if let label { item.label = AttributeValue(label) }
    if let comment { item.comment = AttributeValue(comment) }
    if let expires { item.expires = expires }
  }
}
