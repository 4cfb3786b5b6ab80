/// The reason why memory for a secret could not be had.
public struct SecretMemoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong; more values may come.
  public struct Code: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
      case lockedMemoryExhausted
      case outOfMemory
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// The limit on memory that a process may lock (`RLIMIT_MEMLOCK`) leaves no room.
    public static let lockedMemoryExhausted = Code(.lockedMemoryExhausted)
    /// The system has no memory left.
    public static let outOfMemory = Code(.outOfMemory)
  }

  /// What went wrong.
  public let code: Code

  /// One line that says what to do, without any value.
  public var description: String {
    switch code {
    case .lockedMemoryExhausted:
      "no locked memory left; raise the limit (ulimit -l, LimitMEMLOCK=) or hold fewer secrets"
    default:
      "no memory left; hold fewer secrets at a time"
    }
  }

  package init(_ code: Code) { self.code = code }
}
