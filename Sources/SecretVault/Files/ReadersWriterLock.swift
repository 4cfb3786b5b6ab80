import Glibc

/// A value that many threads may read at once and one may change while nobody reads.
///
/// A waiting writer goes before new readers, so that a lock of the vault is not kept waiting by a stream of
/// reads. Reading inside reading is not allowed.
///
/// `@unchecked Sendable` holds because the value is reached only while the lock is held in the fitting
/// mode.
@safe
final class ReadersWriterLock<Value: ~Copyable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_rwlock_t>
  private var value: Value

  init(_ value: consuming Value) {
    self.value = value
    unsafe lock = .allocate(capacity: 1)
    var attributes = pthread_rwlockattr_t()
    unsafe pthread_rwlockattr_init(&attributes)
    // PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
    unsafe pthread_rwlockattr_setkind_np(&attributes, 2)
    unsafe pthread_rwlock_init(lock, &attributes)
    unsafe pthread_rwlockattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_rwlock_destroy(lock)
    unsafe lock.deallocate()
  }

  func withRead<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(value)
  }

  func withWrite<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_wrlock(lock)
    defer { unsafe pthread_rwlock_unlock(lock) }
    return try body(&value)
  }
}
