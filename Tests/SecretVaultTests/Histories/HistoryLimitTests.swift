import SecretVault
import Testing

@Suite("Histories at the limits")
struct HistoryLimitTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  private func set(_ byte: UInt8, _ count: Int) throws {
    let secret = try SecretBytes(count: count) { bytes in
      for index in bytes.indices { bytes[index] = byte }
    }
    try store.set(secret, for: item, changing: ItemChanges(versionsKept: 255))
  }

  /// The first byte and the length of every earlier secret, newest first.
  private func earlier() throws -> [[Int]] {
    try store.history(of: item).map { version in
      let secret = try #require(try store.secret(of: item, version: version.version))
      return [Int(secret.withBytes { $0[0] }), secret.count]
    }
  }

  @Test("two of the largest secrets do not fit: the older one is dropped, and a notice says so")
  func largest() throws {
    for byte in 1...3 { try set(UInt8(byte), 1_048_576) }
    #expect(try earlier() == [[2, 1_048_576]])
    #expect(store.takeNotices().contains(.overfullHistory))
    try set(4, 8)
    #expect(try earlier() == [[3, 1_048_576]])
    try set(5, 8)
    #expect(try earlier() == [[4, 8], [3, 1_048_576]])
    #expect(try store.administration(with: vault.credential).check().isSound)
  }

  // An entry has 20 bytes beside the secret.
  @Test(
    "2 MiB are filled to the last byte, and not one more",
    arguments: [(1_048_536, true), (1_048_537, false)]
  )
  func exactly(byteCount: Int, fits: Bool) throws {
    try set(1, byteCount)
    try set(2, 1_048_576)
    try set(3, 1)
    #expect(try earlier() == [[2, 1_048_576]] + (fits ? [[1, byteCount]] : []))
    #expect(store.takeNotices().contains(.overfullHistory) != fits)
  }

  @Test("at most 255 are kept, whatever was asked for")
  func count() throws {
    try store.set(SecretBytes("0"), for: item)
    try store.update(item) { item, _ in item.versionsKept = 1_000 }
    #expect(try store.item(for: item)?.versionsKept == 255)
    for number in 1...256 { try store.set(SecretBytes("\(number)"), for: item) }
    let history = try store.history(of: item)
    #expect(history.count == 255)
    #expect(try store.secret(of: item, version: history[0].version)?.text == "255")
    #expect(try store.secret(of: item, version: history[254].version)?.text == "1")
    try store.update(item) { item, _ in item.versionsKept = -1 }
    #expect(try store.item(for: item)?.versionsKept == 0)
    #expect(try store.history(of: item).isEmpty)
  }

  @Test(
    "the size of a history box tells a size class only",
    arguments: [(1, 112), (40, 112), (41, 176)]
  )
  func sizeClass(byteCount: Int, boxByteCount: Int) throws {
    try set(1, byteCount)
    try set(2, byteCount)
    #expect(try vault.raw().items()[0].history.count == boxByteCount)
  }
}
