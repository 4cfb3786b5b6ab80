import TestSupport
import Testing
import VaultCrypto

@Suite("Chunked encryption, published vectors")
struct ChunkedEncryptionTests {
  private static let isPresent = PublicVectors.has(PublicVectors.chunkedEncryption)

  private static let vectors: [ChunkedEncryptionVector] = {
    guard isPresent else { return [] }
    do {
      let file: ChunkedEncryptionFile = try PublicVectors.read(PublicVectors.chunkedEncryption)
      return file.testGroups.flatMap(\.tests)
    } catch { return [] }
  }()

  @Test(
    "all 35 vectors are there",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence))
  )
  func count() {
    #expect(Self.vectors.count == 35)
    #expect(Self.vectors.filter(\.isValid).count == 10)
    #expect(Self.vectors.filter(\.failsAtHeader).count == 10)
  }

  @Test(
    "a valid message opens, and sealing it again gives the same bytes",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence)),
    arguments: vectors.filter(\.isValid)
  )
  func valid(vector: ChunkedEncryptionVector) throws {
    let message = try vector.message()
    let plaintext = try open(
      message.box,
      key: vector.keyBytes,
      salt: message.salt,
      context: vector.contextBytes
    )
    #expect(plaintext.count == vector.msgLength)
    #expect(try sha512(plaintext) == [UInt8](hex: try #require(vector.msgSha512)))
    let box = try seal(
      plaintext,
      key: vector.keyBytes,
      salt: message.salt,
      context: vector.contextBytes
    )
    #expect(box == message.box)
    #expect(box.count == SealedBox.byteCount(plaintextCount: plaintext.count))
  }

  @Test(
    "an invalid message does not open and leaves no plaintext",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence)),
    arguments: vectors.filter { !$0.isValid && !$0.failsAtHeader }
  )
  func invalid(vector: ChunkedEncryptionVector) throws {
    let message = try vector.message()
    var output = [UInt8](repeating: 0xee, count: message.box.count)
    #expect(throws: CryptoError.authenticationFailed) {
      _ = try open(
        message.box,
        key: vector.keyBytes,
        salt: message.salt,
        context: vector.contextBytes,
        into: &output
      )
    }
    #expect(output.allSatisfy { $0 == 0 })
  }

  /// The last tag is damaged too: an implementation that decrypted first would report that instead.
  @Test(
    "a message with a bad header is refused before anything is decrypted",
    .enabled(if: isPresent, Comment(rawValue: PublicVectors.absence)),
    arguments: vectors.filter(\.failsAtHeader)
  )
  func badHeader(vector: ChunkedEncryptionVector) throws {
    var message = try vector.message()
    if vector.flags.contains("InvalidKeySize") {
      #expect(throws: CryptoError.invalidLength) {
        _ = try Key<Role.Leaf>(copying: vector.keyBytes.span).bytes
      }
    } else {
      if let last = message.box.indices.last { message.box[last] ^= 1 }
      let isTruncated = vector.flags.contains("Truncation")
      #expect(throws: isTruncated ? CryptoError.authenticationFailed : .commitmentMismatch) {
        try open(
          message.box,
          key: vector.keyBytes,
          salt: message.salt,
          context: vector.contextBytes
        )
      }
    }
  }

  @Test("three small messages open and seal to the same bytes", arguments: SmallMessage.all)
  func small(message: SmallMessage) throws {
    let key = Array("YELLOW SUBMARINE YELLOW SUBMARIN".utf8)
    let salt = Array(message.sealed.prefix(24))
    let box = Array(message.sealed.dropFirst(24))
    let context = Array(message.context.utf8)
    #expect(try seal(Array(message.text.utf8), key: key, salt: salt, context: context) == box)
    #expect(try open(box, key: key, salt: salt, context: context) == Array(message.text.utf8))
    #expect(throws: CryptoError.commitmentMismatch) {
      try open(box, key: key, salt: salt, context: context + [0])
    }
  }
}

/// A message of the published vectors that is small enough to stand here.
struct SmallMessage: Sendable {
  let context: String
  let text: String
  let sealed: [UInt8]

  static let all = [
    SmallMessage(
      context: "",
      text: "",
      sealed: [UInt8](
        hex: """
          43a2e39431cbae0389d3fc86adf46f7c3a24de88d9311617e53f3164cc1d5dc738a66b97f0bf786565c31799
          c2f463d50a7e10046011dc6fc3c939e3a5db7affb6191551669554fb
          """
      )
    ),
    SmallMessage(
      context: "",
      text: "chunked",
      sealed: [UInt8](
        hex: """
          a1a1b56f6db58cd1ede0c5c9db62aef20d3f96a6c594bb9252bb38122de91236502b42a1d7fcab820ffa2929
          40d2f86add212cfa42c38df19d3cc9139ee61a5990d3db57433514229beea49a8a72bd
          """
      )
    ),
    SmallMessage(
      context: "test context",
      text: "chunked",
      sealed: [UInt8](
        hex: """
          dbedaefc1c35dc6c0f22b743b03e488747166a51f33479e7ceb8b7e11cc0d2710f624a127501bc4aea7d0af6
          f83cfe359b9e69415aa537f36adf86eb35b070475baa039bb7791432adbca49578bbd3
          """
      )
    ),
  ]
}

/// The file of vectors, as far as it is used.
private struct ChunkedEncryptionFile: Decodable {
  struct Group: Decodable {
    let tests: [ChunkedEncryptionVector]
  }

  let testGroups: [Group]
}

/// One vector: a message of salt and box, compressed.
struct ChunkedEncryptionVector: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let key: String
  let ctx: String
  let ct: String
  let msgLength: Int?
  let msgSha512: String?
  let result: String
  let flags: [String]

  var isValid: Bool { result == "valid" }
  var failsAtHeader: Bool { flags.contains("HeaderFailure") }
  var keyBytes: [UInt8] { [UInt8](hex: key) }
  var contextBytes: [UInt8] { [UInt8](hex: ctx) }
  var testDescription: String { "\(tcId) \(comment)" }

  func message() throws -> (salt: [UInt8], box: [UInt8]) {
    let bytes = try Inflate.zlib([UInt8](hex: ct))
    return (Array(bytes.prefix(24)), Array(bytes.dropFirst(24)))
  }
}
