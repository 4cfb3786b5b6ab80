import Glibc
import Synchronization

/// How many forks lie between the process that started and this one.
///
/// A forked child inherits memory but neither its locks nor the locks on files, so whoever relies on those compares
/// this number with the one it has noted. It costs a load, where asking for the process's id costs a system call.
package enum ForkCount {
  private static let count = Atomic<UInt>(0)
  private static let registration: Int32 = pthread_atfork(nil, nil) {
    ForkCount.count.add(1, ordering: .relaxed)
  }

  /// The number; it changes in the child of a `fork`, before `fork` returns there.
  package static var current: UInt {
    _ = registration
    return count.load(ordering: .relaxed)
  }
}
