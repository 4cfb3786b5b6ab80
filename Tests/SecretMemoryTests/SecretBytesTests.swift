import SecretMemory
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
  private static let sizes = [0, 1, 63, 64, 65, 32_768, 32_769, 65_540, 1 << 20]

  @Test("bytes of every size come back as they went in", arguments: sizes)
  func roundTrip(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
    let secret = try SecretBytes(copying: bytes)
    #expect(secret.count == count)
    #expect(secret.isEmpty == (count == 0))
    #expect(secret.copied(as: [UInt8].self) == bytes)
  }

  @Test("a new secret is zero until it is filled in", arguments: sizes)
  func startsZero(count: Int) throws {
    let secret = try SecretBytes(count: count) { _ in }
    #expect(secret.copied(as: [UInt8].self) == [UInt8](repeating: 0, count: count))
  }

  @Test("a secret filled in place holds what was written")
  func fillInPlace() throws {
    let secret = try SecretBytes(count: 3) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index) + 1 }
    }
    #expect(secret.copied(as: [UInt8].self) == [1, 2, 3])
  }

  @Test("copies of a handle share the bytes")
  func copiesShare() throws {
    let secret = try SecretBytes(copying: [1, 2, 3])
    let copy = secret
    let address = secret.withBytes { $0.address }
    #expect(copy.withBytes { $0.address } == address)
  }

  @Test("a copy keeps the bytes when the first handle goes")
  func copiesKeepBytes() throws {
    var secrets = [try SecretBytes(copying: [1, 2, 3])]
    let copy = secrets[0]
    secrets.removeAll()
    #expect(copy.copied(as: [UInt8].self) == [1, 2, 3])
  }

  @Test("a size that no memory can have is refused", arguments: [Int.max, Int.max - 4094, 1 << 60])
  func impossibleSize(count: Int) {
    #expect(throws: SecretMemoryError(.outOfMemory)) {
      try SecretBytes(count: count) { _ in }
    }
  }

  @Test("a part of a buffer can be frozen, and what lies outside the buffer is left off")
  func partOfBuffer() throws {
    #expect(try frozen(1..<3) == [2, 3])
    #expect(try frozen(2..<2) == [])
    #expect(try frozen(2..<9) == [3, 4])
    #expect(try frozen(7..<9) == [])
    #expect(try frozen(nil) == [1, 2, 3, 4])
  }

  private func frozen(_ range: Range<Int>?) throws -> [UInt8] {
    var buffer = try LockedBuffer(count: 4)
    buffer.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index) + 1 }
    }
    return SecretBytes(buffer, range: range).copied(as: [UInt8].self)
  }

  @Test("printing and dumping a secret show its length only")
  func printing() throws {
    let secret = try SecretBytes(copying: Array("hunter2".utf8))
    #expect("\(secret)" == "SecretBytes(7 bytes)")
    #expect(String(reflecting: secret) == "SecretBytes(7 bytes)")
    #expect(Mirror(reflecting: secret).children.isEmpty)
    var text = ""
    dump(secret, to: &text)
    #expect(text == "- SecretBytes(7 bytes)\n")
    var nested = ""
    dump(["password": secret] as [String: SecretBytes?], to: &nested)
    #expect(!nested.contains("storage") && !nested.contains("hunter2") && !nested.contains("104"))
  }

  @Test("secrets are equal when their bytes are, whatever differs otherwise")
  func equality() throws {
    let secret = try SecretBytes(copying: [1, 2, 3])
    #expect(secret.constantTimeEquals(try SecretBytes(copying: [1, 2, 3])))
    #expect(!secret.constantTimeEquals(try SecretBytes(copying: [1, 2, 4])))
    #expect(!secret.constantTimeEquals(try SecretBytes(copying: [0, 2, 3])))
    #expect(!secret.constantTimeEquals(try SecretBytes(copying: [1, 2])))
    let empty = try SecretBytes(copying: [])
    #expect(empty.constantTimeEquals(try SecretBytes(copying: [])))
    #expect(!empty.constantTimeEquals(secret))
  }

  @Test("a string is given for valid UTF-8 only")
  func strings() throws {
    #expect(try SecretBytes(copying: Array("zoë\0".utf8)).copiedAsString() == "zoë\0")
    #expect(try SecretBytes(copying: []).copiedAsString()?.isEmpty == true)
    #expect(try SecretBytes(copying: [0x61, 0xff]).copiedAsString() == nil)
  }

  @Test("an error says what to do and names no value")
  func errorText() {
    #expect(SecretMemoryError(.lockedMemoryExhausted).description.contains("ulimit -l"))
    #expect(SecretMemoryError(.outOfMemory).description.contains("no memory left"))
    #expect(SecretMemoryError(.outOfMemory) != SecretMemoryError(.lockedMemoryExhausted))
  }
}

extension Span<UInt8> {
  /// Where the bytes lie; valid as a number only.
  var address: UInt {
    unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
