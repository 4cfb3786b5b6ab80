import Synchronization

/// Whether secrets may live in memory that the system can swap out.
///
/// A container with a tiny limit on locked memory cannot lock anything. It needs an explicit
/// decision by the program, never a silent one, so the default is to refuse.
package enum LockingPolicy {
  private static let unlockedMemoryIsAllowed = Atomic<Bool>(false)

  /// Whether a failed `mlock` is tolerated.
  package static var allowsUnlockedMemory: Bool {
    unlockedMemoryIsAllowed.load(ordering: .relaxed)
  }

  /// Lets this process keep secrets in memory that could not be locked.
  package static func allowUnlockedMemory() {
    unlockedMemoryIsAllowed.store(true, ordering: .relaxed)
  }
}
