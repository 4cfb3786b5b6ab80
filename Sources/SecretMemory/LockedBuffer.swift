/// A writable run of locked bytes with one owner, wiped when it goes or frozen into ``SecretBytes``.
package struct LockedBuffer: ~Copyable, Sendable {
  let storage: LockedStorage

  /// How many bytes there are.
  package let count: Int

  /// Makes `count` zero bytes.
  ///
  /// - Throws: `SecretMemoryError` when no locked memory is left.
  package init(count: Int) throws(SecretMemoryError) {
    storage = try LockedStorage(capacity: count)
    self.count = count
  }

  /// Lends the bytes for reading.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withBytes(0..<count, body)
  }

  /// Lends the bytes for writing.
  package mutating func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withMutableBytes(count, body)
  }
}

/// The owner of one block, which it wipes and gives back at the end.
///
/// `@unchecked Sendable` holds because the bytes change only through a ``LockedBuffer``, which has one
/// owner, and are never written again once ``SecretBytes`` shares them.
@safe
final class LockedStorage: @unchecked Sendable {
  private let block: LockedBlock

  init(capacity: Int) throws(SecretMemoryError) {
    block = try LockedMemory.allocate(capacity)
  }

  deinit {
    LockedMemory.release(block)
  }

  func withBytes<Result: ~Copyable, Failure: Error>(
    _ range: Range<Int>,
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = unsafe UnsafePointer(block.base + range.lowerBound)
    return try unsafe body(Span(_unsafeStart: start, count: range.count))
  }

  fileprivate func withMutableBytes<Result: ~Copyable, Failure: Error>(
    _ count: Int,
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = unsafe MutableSpan(_unsafeStart: block.base, count: count)
    return try body(&bytes)
  }
}
