import SecretMemory
import SecretVault
import Testing
import VaultAgent

@Suite("The protocol")
struct ProtocolTests {
  private static let path = VaultPath(resolved: "/home/user/default.vault")

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

  private func requests() throws -> [Request] {
    let path = try #require(Self.path)
    let secret = try SecretBytes("secret")
    var unlock = UnlockRequest(path: path, credential: .passphraseAndKeyFile(secret, secret))
    unlock.stateDirectory = "/state"
    unlock.slot = "00"
    unlock.kdfLimit = 20
    unlock.requiresAnchor = true
    unlock.sharedWith = 61_100
    unlock.idleSeconds = 0
    let identity = ItemIdentity(
      server: AttributeValue(data: [0, 255]),
      account: "user",
      port: 8_443,
      group: "work",
      isSynchronizable: true
    )
    var item = SecretItem(identity: identity, accessibility: .afterFirstUnlock)
    item.label = "label"
    item[applicationAttribute: 64] = AttributeValue(data: [1, 2])
    let query = ItemQuery(
      service: "s",
      group: "g",
      accessibility: .whenUnlocked,
      kind: .genericPassword,
      expiringBefore: Timestamp(millisecondsSince1970: 1 << 40)
    )
    let changes = ItemChanges(
      accessibility: .whenUnlocked,
      label: "l",
      comment: "",
      expires: .never,
      versionsKept: 255,
      mustRevalidate: true
    )
    let moment = Timestamp(millisecondsSince1970: 1 << 41)
    return [
      .status(nil), .status(path), .unlock(unlock), .lock(nil), .lock(path), .prompt(path),
      .unlock(UnlockRequest(path: path, credential: .passphrase(secret))),
      .unlock(UnlockRequest(path: path, credential: .keyFile(secret))),
      .unlock(UnlockRequest(path: path, credential: .recoveryCode(secret))),
      .observe(path), .acknowledge(.max), .secret(path, identity), .item(path, identity),
      .contents(path, identity), .items(path, .all), .items(path, query),
      .add(path, item, nil), .add(path, item, secret),
      .set(path, identity, changes, version: nil, secret),
      .set(path, identity, ItemChanges(expires: .at(moment)), version: 7, secret),
      .replace(path, identity, item, nil), .replace(path, identity, item, secret),
      .remove(path, identity, version: nil), .remove(path, identity, version: 0), .emptyLog(path),
      .secret(path, identity, allowingExpired: true), .history(path, identity),
      .earlierSecret(path, identity, version: 1),
      .restoreVersion(path, identity, version: .max),
    ]
  }

  private func replies() throws -> [Reply] {
    let secret = try SecretBytes("secret")
    let item = SecretItem(identity: ItemIdentity(service: "service", account: "account"))
    var listing = ItemListing()
    listing.items = [item, item]
    let version = ItemVersion(version: 7, modified: Timestamp(millisecondsSince1970: 1 << 41))
    listing.lockedCount = 1
    listing.otherDeviceCount = 2
    listing.unsupportedCount = 3
    let status = VaultStatus(
      path: try #require(Self.path),
      state: .unlocked,
      secondsUntilIdleLock: 900,
      secondsUntilEnd: nil
    )
    return [
      .done, .failure(VaultError(.credentialRejected)), .flag(true), .flag(false), .secret(nil),
      .secret(secret), .secret(try SecretBytes(copying: [])), .item(nil), .item(item),
      .contents(item, nil), .contents(item, secret), .listing(ItemListing(), isLast: true),
      .listing(listing, isLast: false), .status([]), .status([status, status]), .prompt(.ask),
      .prompt(.unlocked), .state(.beforeFirstUnlock, 0), .state(.locked, 1),
      .state(.unlocked, .max), .history([]), .history([version, version]),
    ]
  }

  @Test("what was written is read back: every request of every operation")
  func requestsRoundTrip() throws {
    let requests = try requests()
    #expect(Set(requests.map(\.operation)) == Set(Operation.allCases))
    for request in requests {
      let bytes = body(of: request.message)
      let read = try Request(request.operation, reading: reader(bytes))
      #expect(body(of: read.message) == bytes, "\(request)")
    }
  }

  @Test("what was written is read back: every reply of every kind")
  func repliesRoundTrip() throws {
    let replies = try replies()
    #expect(Set(replies.map(\.kind)) == Set(ReplyKind.allCases))
    for reply in replies {
      let bytes = body(of: reply.message)
      let read = try Reply(reply.kind, reading: reader(bytes))
      #expect(body(of: read.message) == bytes, "\(reply)")
    }
  }

  @Test("no beginning of a message is a message, but for one whose secret takes the rest")
  func truncation() throws {
    for request in try requests() {
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
    for request in try requests() {
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
      try requests().map { "\($0) \(String(reflecting: $0))" + dumped($0) }
      + replies().map { "\($0) \(String(reflecting: $0))" + dumped($0) }
      + requests().map { "\($0.message)" + dumped($0.message) }
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
