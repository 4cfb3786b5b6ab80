import Testing
import VaultFormat

@Suite("Padding")
struct PaddingTests {
  private func pad(_ content: [UInt8]) throws -> [UInt8] {
    // Anything but zeros, so that a byte that is left unwritten shows.
    var buffer = [UInt8](repeating: 0xaa, count: try Padding.paddedCount(for: content.count))
    var target = buffer.mutableSpan
    try Padding.pad(content.span, into: &target)
    return buffer
  }

  /// The length of a box: commitment, and one tag for each chunk of 16 384 bytes and the last.
  private func boxCount(for contentCount: Int) throws -> Int {
    let padded = try Padding.paddedCount(for: contentCount)
    return 32 + padded + 16 * (padded / 16_384 + 1)
  }

  @Test(
    "a box tells only the size class of a secret",
    arguments: [
      (0, 112), (1, 112), (60, 112), (61, 176), (4092, 4144), (4093, 8240), (16_380, 16_448),
      (16_381, 20_544), (1_048_576, 1_053_744), (81_916, 82_048), (2_097_152, 2_103_344),
    ]
  )
  func boxSizes(contentCount: Int, expected: Int) throws {
    #expect(try boxCount(for: contentCount) == expected)
  }

  @Test("the limits of boxes are those of the largest contents")
  func boxLimits() throws {
    #expect(try boxCount(for: Limits.attributesByteCount) == Limits.attributesBoxByteCount)
    #expect(try boxCount(for: Limits.secretByteCount) == Limits.secretBoxByteCount)
    #expect(try boxCount(for: Limits.historyByteCount) == Limits.historyBoxByteCount)
  }

  @Test("a bucket is a power of two up to 4096 and a multiple of 4096 above")
  func buckets() throws {
    for contentCount in 0...20_000 {
      let padded = try Padding.paddedCount(for: contentCount)
      let isBucket =
        padded <= 4096 ? padded >= 64 && padded.nonzeroBitCount == 1 : padded % 4096 == 0
      let smaller = padded <= 4096 ? padded / 2 : padded - 4096
      #expect(isBucket)
      #expect(padded >= contentCount + 4)
      #expect(padded == 64 || smaller < contentCount + 4)
    }
  }

  @Test("a content of no possible length is refused", arguments: [-1, 2_097_153, Int.max, Int.min])
  func impossible(contentCount: Int) {
    #expect(throws: FormatError.limitExceeded) { try Padding.paddedCount(for: contentCount) }
  }

  @Test(
    "what is padded unpads to the same bytes",
    arguments: [0, 1, 60, 61, 124, 125, 4092, 4093, 8188]
  )
  func roundTrip(contentCount: Int) throws {
    let content = [UInt8](repeating: 0x5a, count: contentCount)
    let padded = try pad(content)
    let range = try Padding.unpad(padded.span)
    #expect(Array(padded[range]) == content)
    #expect(padded[range.upperBound...].allSatisfy { $0 == 0 })
  }

  @Test("a buffer of another length is not filled")
  func wrongBuffer() {
    let content = [1, 2, 3] as [UInt8]
    for count in [0, 63, 65, 128] {
      var buffer = [UInt8](repeating: 0xaa, count: count)
      #expect(throws: FormatError.limitExceeded) {
        var target = buffer.mutableSpan
        try Padding.pad(content.span, into: &target)
      }
      #expect(buffer == Array(repeating: 0xaa, count: count))
    }
  }

  @Test("a bucket that is too small or too large is malformed")
  func wrongBucket() throws {
    let padded = try pad([1, 2, 3])
    let refused = [
      [], Array(padded.prefix(3)), Array(padded.prefix(7)), Array(padded.dropLast()), padded + [0],
      padded + padded.map { _ in 0 },
    ]
    for bytes in refused {
      #expect(throws: FormatError.malformed) { try Padding.unpad(bytes.span) }
    }
  }

  @Test("one byte of filling that is not zero is malformed", arguments: [7, 8, 62, 63])
  func filling(offset: Int) throws {
    let padded = try pad([1, 2, 3]).replacing(at: offset, with: 1)
    #expect(throws: FormatError.malformed) { try Padding.unpad(padded.span) }
  }

  @Test("a length beyond the end is malformed", arguments: [61, 64, 0x7fff_ffff, UInt32.max])
  func overlong(length: UInt32) throws {
    let padded = try pad([]).replacing(at: 0, with: length)
    #expect(throws: FormatError.malformed) { try Padding.unpad(padded.span) }
  }
}
