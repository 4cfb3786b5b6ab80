import TestSupport
import Testing
import VaultCrypto

@Suite("AES-256-GCM")
struct GCMTests {
  private static let isPresent = PublicVectors.has(PublicVectors.aesGCM)

  private static let vectors: [GCMVector] = {
    guard isPresent else { return [] }
    do {
      let file: GCMFile = try PublicVectors.read(PublicVectors.aesGCM)
      return file.testGroups
        .filter { $0.keySize == 256 && $0.ivSize == 96 && $0.tagSize == 128 }
        .flatMap(\.tests)
    } catch { return [] }
  }()

  @Test(
    "66 published vectors have our sizes",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence))
  )
  func count() {
    #expect(Self.vectors.count == 66)
    #expect(Self.vectors.filter(\.isValid).count == 39)
  }

  @Test(
    "a published vector gives its result",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence)),
    arguments: vectors
  )
  func published(vector: GCMVector) throws {
    try expect(vector)
  }

  @Test("four small vectors give their results", arguments: GCMVector.small)
  func small(vector: GCMVector) throws {
    try expect(vector)
  }

  private func expect(_ vector: GCMVector) throws {
    let message = [UInt8](hex: vector.msg)
    let sealed = [UInt8](hex: vector.ct + vector.tag)
    if vector.isValid {
      #expect(try vector.open(sealed) == message)
      #expect(try vector.seal(message) == sealed)
    } else {
      #expect(throws: CryptoError.authenticationFailed) { try vector.open(sealed) }
    }
  }

  @Test("lengths that do not fit are refused, and nothing is written")
  func lengths() throws {
    let cipher = try GCM()
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 1, count: 12)
    let short = [UInt8](repeating: 1, count: 11)
    let long = [UInt8](repeating: 1, count: 33)
    var output = [UInt8](repeating: 0xee, count: 20)
    for (key, nonce, plaintextCount, offset) in [
      (long, nonce, 4, 0), (short, nonce, 4, 0), ([], nonce, 4, 0), (key, short, 4, 0),
      (key, long, 4, 0), (key, [], 4, 0), (key, nonce, 5, 0), (key, nonce, 4, 1),
      (key, nonce, 4, -1), (key, nonce, 0, 21), (key, nonce, 0, Int.max),
    ] {
      #expect(throws: CryptoError.invalidLength) {
        var bytes = output.mutableSpan
        try cipher.seal(
          [UInt8](repeating: 0, count: plaintextCount).span,
          key: key.span,
          nonce: nonce.span,
          associatedData: Span(),
          into: &bytes,
          at: offset
        )
      }
    }
    for (sealedCount, offset) in [(0, 0), (15, 0), (37, 0), (36, 1), (36, -1), (16, 21)] {
      #expect(throws: CryptoError.invalidLength) {
        var bytes = output.mutableSpan
        try cipher.open(
          [UInt8](repeating: 0, count: sealedCount).span,
          key: key.span,
          nonce: nonce.span,
          associatedData: Span(),
          into: &bytes,
          at: offset
        )
      }
    }
    #expect(output == [UInt8](repeating: 0xee, count: 20))
  }

  @Test("a failed opening wipes the place of the plaintext and nothing else")
  func wipedOutput() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 1, count: 12)
    var output = [UInt8](repeating: 0xee, count: 10)
    #expect(throws: CryptoError.authenticationFailed) {
      var bytes = output.mutableSpan
      try GCM().open(
        [UInt8](repeating: 3, count: 4 + 16).span,
        key: key.span,
        nonce: nonce.span,
        associatedData: Span(),
        into: &bytes,
        at: 3
      )
    }
    #expect(output == [0xee, 0xee, 0xee, 0, 0, 0, 0, 0xee, 0xee, 0xee])
  }
}
