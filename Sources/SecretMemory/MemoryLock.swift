import Glibc

/// The lock before all memory for secrets, which is free in every child made by `fork`.
///
/// A child has one thread, and what another thread of its parent had locked would stay locked there. So whoever forks
/// takes this lock first, and both sides give it back (pthread_atfork(3)). It also stands before libcrypto's secure heap,
/// whose own lock nobody takes around a fork.
///
/// `@unchecked Sendable` holds because the mutex is made for many threads and stays where it is.
@safe
struct MemoryLock: @unchecked Sendable {
  private static let shared = MemoryLock()

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    pthread_atfork(
      { MemoryLock.shared.lock() },
      { MemoryLock.shared.unlock() },
      { MemoryLock.shared.unlock() }
    )
  }

  /// Runs `body`, which may not fork, while no other thread is here.
  static func whileHeld<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    shared.lock()
    defer { shared.unlock() }
    return try body()
  }

  private func lock() { unsafe pthread_mutex_lock(mutex) }

  private func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
