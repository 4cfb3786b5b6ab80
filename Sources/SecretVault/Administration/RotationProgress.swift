import Dispatch

/// How far a rotation has come.
public struct RotationProgress: Hashable, Sendable {
  /// How many items are sealed anew.
  public internal(set) var completedItems = 0
  /// How many items there were to seal when it began.
  public let totalItems: Int
}

/// Tells a program how far a rotation has come, from a queue of its own, since the rotation holds locks.
final class ProgressCalls: Sendable {
  private let queue = DispatchQueue(label: "secretvault.rotation")
  private let call: @Sendable (RotationProgress) -> Void

  init(_ call: @escaping @Sendable (RotationProgress) -> Void) {
    self.call = call
  }

  /// Calls soon.
  func tell(_ progress: RotationProgress) {
    queue.async { [call] in call(progress) }
  }

  /// Waits for the end of the calls; to be called without locks, which they may want.
  func finish() { queue.sync {} }
}
