/// What a write changes about an item besides its secret; what is `nil` stays as it is.
public struct ItemChanges: Sendable {
  /// Until when a secret is given out.
  public enum Expiry: Hashable, Sendable {
    /// For ever; an item that expires loses its moment.
    case never
    /// Until this moment.
    case at(Timestamp)
  }

  /// The class that decides when the item can be used.
  public var accessibility: Accessibility?
  /// What a person calls the item.
  public var label: String?
  /// A remark.
  public var comment: String?
  /// Until when the secret is given out.
  public var expires: Expiry?
  /// How many earlier secrets are kept; see ``SecretItem/versionsKept``.
  public var versionsKept: Int?
  /// Whether the item must be written again after a restore; see ``SecretItem/mustRevalidate``.
  public var mustRevalidate: Bool?

  /// Changes what is given, and nothing else.
  public init(
    accessibility: Accessibility? = nil,
    label: String? = nil,
    comment: String? = nil,
    expires: Expiry? = nil,
    versionsKept: Int? = nil,
    mustRevalidate: Bool? = nil
  ) {
    self.accessibility = accessibility
    self.label = label
    self.comment = comment
    self.expires = expires
    self.versionsKept = versionsKept
    self.mustRevalidate = mustRevalidate
  }

  /// Whether nothing is changed.
  public var isEmpty: Bool {
    accessibility == nil && label == nil && comment == nil && expires == nil
      && versionsKept == nil && mustRevalidate == nil
  }

  /// Makes the changes.
  public func apply(to item: inout SecretItem) {
    if let accessibility { item.accessibility = accessibility }
    if let label { item.label = AttributeValue(label) }
    if let comment { item.comment = AttributeValue(comment) }
    switch expires {
    case .at(let moment): item.expires = moment
    case .never: item.expires = nil
    case nil: break
    }
    if let versionsKept { item.versionsKept = versionsKept }
    if let mustRevalidate { item.mustRevalidate = mustRevalidate }
  }
}
