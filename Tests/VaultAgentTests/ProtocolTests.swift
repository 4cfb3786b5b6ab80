import SecretMemory
import SecretVault
import Testing
import VaultAgent

/// Messages as they are written and read at both ends of a connection.
@Suite("The protocol")
struct ProtocolTests {
  /// The body of a message as the other side gets it.
  private func body(of message: OutgoingMessage) -> [UInt8] {
    message.pieces.flatMap { piece in
      switch piece {
      case .plain(let bytes): bytes
      case .secret(let secret): secret.copied(as: [UInt8].self)
      }
    }
  }

  private func reader(_ bytes: [UInt8]) throws -> MessageReader {
    var buffer = try LockedBuffer(count: bytes.count)
    buffer.withMutableBytes { target in
      for index in bytes.indices { target[index] = bytes[index] }
    }
    return MessageReader(buffer)
  }

  @Test("what was written is read back: every request of every operation")
  func requestsRoundTrip() throws {
    let requests = try MessageSamples.requests()
    #expect(Set(requests.map(\.operation)) == Set(Operation.allCases))
    for request in requests {
      let bytes = body(of: request.message)
      let read = try Request(request.operation, reading: reader(bytes))
      #expect(body(of: read.message) == bytes, "\(request)")
    }
  }

  @Test("what was written is read back: every reply of every kind")
  func repliesRoundTrip() throws {
    let replies = try MessageSamples.replies()
    #expect(Set(replies.map(\.kind)) == Set(ReplyKind.allCases))
    for reply in replies {
      let bytes = body(of: reply.message)
      let read = try Reply(reply.kind, reading: reader(bytes))
      #expect(body(of: read.message) == bytes, "\(reply)")
    }
  }

  @Test("no beginning of a message is a message, but for one whose secret takes the rest")
  func truncation() throws {
    for request in try MessageSamples.requests() {
      let bytes = body(of: request.message)
      let secretCount = [.add, .set, .replace].contains(request.operation) ? 6 : 0
      for count in 0..<max(0, bytes.count - secretCount) {
        let truncated = Array(bytes.prefix(count))
        let read = try? Request(request.operation, reading: reader(truncated))
        #expect(read.map { body(of: $0.message) == truncated } ?? true, "\(request) \(count)")
      }
    }
  }

  @Test("a changed byte is refused, or makes another message that is read as it is written")
  func changedBytes() throws {
    for request in try MessageSamples.requests() {
      let (operation, bytes) = (request.operation, body(of: request.message))
      for index in bytes.indices {
        for value: UInt8 in [0, 1, 2, 127, 128, 255] {
          var changed = bytes
          changed[index] = value
          guard let read = try? Request(operation, reading: reader(changed)) else { continue }
          let written = body(of: read.message)
          let again = try Request(operation, reading: reader(written))
          #expect(body(of: again.message) == written, "\(request) \(index)")
        }
      }
    }
  }

  @Test("a message prints its kind, and nothing of what it holds")
  func printing() throws {
    let printed =
      try MessageSamples.requests().map { "\($0) \(String(reflecting: $0))" + dumped($0) }
      + MessageSamples.replies().map { "\($0) \(String(reflecting: $0))" + dumped($0) }
      + MessageSamples.requests().map { "\($0.message)" + dumped($0.message) }
    for text in printed {
      for word in ["secret\"", "work", "label", "/home", "default.vault", "SecretBytes"] {
        #expect(!text.contains(word), "\(text)")
      }
    }
  }

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test("an error travels as its code and its message")
  func errors() throws {
    let sent = VaultError(.conflict, "what to do")
    let bytes = body(of: Reply.failure(sent).message)
    guard case .failure(let read) = try Reply(.failure, reading: reader(bytes)) else {
      throw MalformedMessage()
    }
    #expect(read.code == .conflict)
    #expect(read.message == "what to do")
  }

  @Test(
    "a message that would steer a terminal is refused",
    arguments: ["a\nb", "\u{1B}[2J", "\u{9B}2J"]
  )
  func controlCharacters(message: String) {
    let bytes = body(of: Reply.failure(VaultError(.busy, message)).message)
    #expect(throws: MalformedMessage.self) { try Reply(.failure, reading: reader(bytes)) }
  }

  @Test("a listing is cut into parts that fit, and put together again")
  func listingParts() throws {
    var listing = ItemListing()
    for number in 0..<40 {
      var item = SecretItem(identity: ItemIdentity(service: "service \(number)"))
      item.comment = AttributeValue(String(repeating: "x", count: 60_000))
      listing.items.append(item)
    }
    listing.lockedCount = 5
    var whole = ItemListing()
    var flags: [Bool] = []
    listing.forEachPart { part, isLast in
      #expect(Reply.listing(part, isLast: isLast).message.bodyByteCount <= FrameLimit.large)
      whole.append(part)
      flags.append(isLast)
    }
    #expect(flags.count > 10 && flags.last == true && !flags.dropLast().contains(true))
    #expect(whole.items.map(\.identity) == listing.items.map(\.identity))
    #expect(whole.lockedCount == 5)
  }

  @Test("a path is absolute, not too long, and holds no zero byte")
  func paths() throws {
    #expect(VaultPath(resolved: "relative") == nil)
    #expect(VaultPath(resolved: "/") == nil)
    #expect(VaultPath(resolved: "/a\0b") == nil)
    #expect(VaultPath(resolved: "/" + String(repeating: "a", count: 4_095)) == nil)
    #expect(try VaultPath(resolving: "/tmp/../tmp/./x").text == "/tmp/x")
    #expect(throws: VaultError(.vaultMissing)) { try VaultPath(resolving: "/nowhere/at/all/x") }
    for path in ["", "/", "/tmp/", "/tmp/.", "/tmp/..", "/tmp/a\0b"] {
      #expect(throws: VaultError(.invalidArgument), "\(path)") { try VaultPath(resolving: path) }
    }
  }
}
