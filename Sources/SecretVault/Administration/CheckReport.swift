/// What a check of the whole vault found.
public struct CheckReport: Sendable {
  /// One thing that was found.
  public struct Finding: Hashable, Sendable {
    /// Whether something is damaged or was tampered with, rather than worth improving.
    public let isDamage: Bool
    /// One line that says what was found and how to mend it, with no name but item ids.
    public let message: String
    /// The item that it is about, where its name could be opened.
    public let item: ItemIdentity?
  }

  /// How many items were verified whole: claim, attributes, secret and history.
  public internal(set) var verifiedCount = 0
  /// How many items could be verified by their claims only, since their keys are elsewhere.
  public internal(set) var unopenedCount = 0
  /// What was found, in the order of the check.
  public internal(set) var findings: [Finding] = []

  /// Whether nothing is damaged.
  public var isSound: Bool { !findings.contains(where: \.isDamage) }

  mutating func damage(_ message: String, of item: ItemIdentity? = nil) {
    findings.append(Finding(isDamage: true, message: message, item: item))
  }

  mutating func advise(_ message: String) {
    findings.append(Finding(isDamage: false, message: message, item: nil))
  }
}
