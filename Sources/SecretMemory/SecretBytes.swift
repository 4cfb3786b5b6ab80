/// A secret: bytes in locked memory that are wiped when the last copy of this handle goes.
///
/// Copying the handle shares the bytes and copies none. They are kept out of swap, of core dumps and of
/// forked children. Printing a value shows its length only, and there is no `==`: use
/// ``constantTimeEquals(_:)``.
public struct SecretBytes: Sendable {
  private let storage: LockedStorage
  private let range: Range<Int>

  /// How many bytes the secret has.
  public var count: Int { range.count }

  /// Whether the secret has no bytes; the empty secret is a secret like any other.
  public var isEmpty: Bool { range.isEmpty }

  /// Makes a secret of `count` bytes, zero at first, that `body` fills in.
  ///
  /// - Throws: `SecretMemoryError` with the code `lockedMemoryExhausted` when the limit on locked
  ///   memory leaves no room.
  public init(
    count: Int,
    initializingWith body: (inout MutableSpan<UInt8>) -> Void
  ) throws(SecretMemoryError) {
    var buffer = try LockedBuffer(count: count)
    buffer.withMutableBytes(body)
    self.init(buffer)
  }

  /// Makes a secret by copying bytes.
  ///
  /// The caller's own copy, in an array, a `Data` or a string's UTF-8 view, is not wiped. Where it
  /// matters, use ``init(count:initializingWith:)``.
  ///
  /// - Throws: `SecretMemoryError` when no locked memory is left.
  public init(copying bytes: some Collection<UInt8>) throws(SecretMemoryError) {
    try self.init(count: bytes.count) { target in
      let copied: Void? = bytes.withContiguousStorageIfAvailable { source in
        unsafe target.withUnsafeMutableBytes { target in
          let count = min(source.count, target.count)
          unsafe target.copyMemory(
            from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: source[..<count]))
          )
        }
      }
      if copied != nil { return }
      var index = 0
      for byte in bytes where index < target.count {
        target[index] = byte
        index += 1
      }
    }
  }

  /// Freezes a buffer, whole or in part, without copying.
  package init(_ buffer: consuming LockedBuffer, range: Range<Int>? = nil) {
    self.range = (range ?? 0..<buffer.count).clamped(to: 0..<buffer.count)
    storage = buffer.storage
  }

  /// Lends the bytes for the length of a call.
  public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withBytes(range, body)
  }

  /// Compares two secrets in a time that depends on their lengths only.
  public func constantTimeEquals(_ other: SecretBytes) -> Bool {
    withBytes { left in other.withBytes { right in ConstantTime.equal(left, right) } }
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The length, never the bytes.
  public var description: String { "SecretBytes(\(count) bytes)" }

  /// The length, never the bytes.
  public var debugDescription: String { description }

  /// No children, so that a dump shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretBytes {
  /// Copies the bytes into an ordinary collection, such as `[UInt8]` or `Data`.
  ///
  /// This gives up the guarantees of the type: the copy is not locked, and nobody wipes it.
  public func copied<Bytes: RangeReplaceableCollection<UInt8>>(as type: Bytes.Type) -> Bytes {
    withBytes { bytes in
      var copy = Bytes()
      copy.reserveCapacity(bytes.count)
      for index in bytes.indices { copy.append(bytes[index]) }
      return copy
    }
  }

  /// Copies the bytes into a string, or returns `nil` where they are no valid UTF-8.
  ///
  /// This gives up the guarantees of the type: strings are copied freely, and nobody wipes them.
  public func copiedAsString() -> String? {
    String(validating: copied(as: [UInt8].self), as: UTF8.self)
  }
}
