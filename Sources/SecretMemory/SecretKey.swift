internal import COpenSSL
internal import Glibc

/// A key of 32 bytes in libcrypto's secure arena, wiped when its only owner lets it go.
///
/// The arena is locked, excluded from core dumps and fenced by guard pages. The type is move-only, so
/// that ending a key ends its only copy.
///
/// `@unchecked Sendable` holds because there is one owner, the bytes change only through its
/// `mutating` method, and `deinit` runs when no one else can hold the value.
@safe
package struct SecretKey: ~Copyable, @unchecked Sendable {
  /// The size of every key, in bytes.
  package static let byteCount = 32

  private let base: UnsafeMutablePointer<UInt8>

  /// Makes a key of 32 zero bytes, to be filled in place.
  ///
  /// - Throws: `SecretMemoryError` when the arena is full or could not be locked.
  package init() throws(SecretMemoryError) {
    unsafe base = try SecureArena.allocate(Self.byteCount)
  }

  deinit {
    unsafe SecureArena.release(base, Self.byteCount)
  }

  /// Lends the bytes for the length of a call.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(Span(_unsafeStart: UnsafePointer(base), count: Self.byteCount))
  }

  /// Lends the bytes for writing.
  package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = unsafe MutableSpan(_unsafeStart: base, count: Self.byteCount)
    return try body(&bytes)
  }
}

/// libcrypto's secure heap, made once for the process.
private enum SecureArena {
  /// Room for 32 768 keys: those of 1 024 groups, opened twice.
  ///
  /// The size must be a power of two (`CRYPTO_secure_malloc_init`).
  private static let byteCount = 1024 * 1024
  private static let smallestAllocation = 32

  /// The result of `CRYPTO_secure_malloc_init`, 1 for locked and guarded or 2 where a protection is
  /// missing, and the process that asked, by its forks; 2 and none where other code made the arena before.
  private static let (protection, maker): (Int32, UInt?) =
    CRYPTO_secure_malloc_initialized() == 1
    ? (2, nil) : (CRYPTO_secure_malloc_init(byteCount, smallestAllocation), ForkCount.current)

  static func allocate(_ count: Int) throws(SecretMemoryError) -> UnsafeMutablePointer<UInt8> {
    // Other code may not have locked its arena, and a forked child inherits no locks.
    let isForeign = maker != ForkCount.current
    let isUsable =
      protection == 1 || (protection == 2 && (isForeign || LockingPolicy.allowsUnlockedMemory))
    // Without a file name, libcrypto leaves no entry in its error queue when the arena is full.
    guard isUsable,
      let memory = unsafe MemoryLock.whileHeld({ unsafe CRYPTO_secure_zalloc(count, nil, 0) })
    else { throw SecretMemoryError(.lockedMemoryExhausted) }
    let base = unsafe memory.assumingMemoryBound(to: UInt8.self)
    guard !isForeign || LockingPolicy.allowsUnlockedMemory || (unsafe mlock(memory, count) == 0)
    else {
      unsafe release(base, count)
      throw SecretMemoryError(.lockedMemoryExhausted)
    }
    return unsafe base
  }

  static func release(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) {
    MemoryLock.whileHeld { unsafe CRYPTO_secure_clear_free(base, count, nil, 0) }
  }
}
