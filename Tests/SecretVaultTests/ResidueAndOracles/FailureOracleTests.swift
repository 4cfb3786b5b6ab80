import COpenSSL
import SecretVault
import Testing
import VaultDatabase
import VaultFormat

/// What a failure tells, and what it must not tell.
@Suite("What failures show")
struct FailureOracleTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed(alsoProtectedBy: [.passphrase("correct horse")]) { [item] store in
      try store.set(SecretBytes("token"), for: item)
      try store.set(SecretBytes("another"), for: ItemIdentity(service: "other"))
    }
  }

  @Test(
    "O-2: a damaged head and a changed one differ by the checksum alone",
    arguments: [8, 23, 24 + 7, 32 + 7]
  )
  func damagedHead(offset: Int) throws {
    let sound = try unlocking("wrong horse")
    #expect(sound?.code == .credentialRejected)
    var head = try vault.raw().head()
    head.record[offset] ^= 2
    try vault.raw().put(head)
    #expect(vault.openingCode() == .corruptHeader)
    try vault.raw().editHead { _ in }
    #expect(vault.openingCode() == nil)
    #expect(try unlocking("wrong horse")?.description == sound?.description)
  }

  @Test("O-2: a changed name of the vault looks like a wrong passphrase, also to the right one")
  func changedVaultID() throws {
    let sound = try unlocking("wrong horse")
    try vault.raw().editHead { $0.record[8] ^= 1 }
    #expect(try unlocking("correct horse")?.description == sound?.description)
  }

  @Test("O-3: every failure after the unlock is one error, and libcrypto's queue is empty after it")
  func failures() throws {
    let bytes = try vault.fileBytes()
    var descriptions: Set<String> = []
    for (name, edit) in edits {
      try vault.replaceFile(with: bytes)
      try edit(vault.raw())
      try vault.raw().emptyLog()
      ERR_clear_error()
      let failure = try #require(try readingFailure(), "\(name) went unnoticed")
      #expect(ERR_peek_error() == 0, "\(name)")
      #expect(failure.code == .tampered, "\(name)")
      #expect(failure.cause == nil, "\(name)")
      descriptions.insert(failure.description)
    }
    #expect(descriptions.count == 1)
    try vault.replaceFile(with: bytes)
    #expect(try readingFailure() == nil)
  }

  /// How unlocking with a passphrase fails on a machine that never saw the vault.
  private func unlocking(_ passphrase: String) throws -> VaultError? {
    var options = vault.options
    options.stateDirectory = try TemporaryVault().statePath
    let store = try SecretStore.open(at: vault.path, options: options)
    defer { store.close() }
    return try Self.failure {
      try store.unlock(with: .passphrase(SecretBytes(passphrase)))
    }
  }

  /// How reading the item fails, from the unlock on.
  private func readingFailure() throws -> VaultError? {
    let store = try vault.open()
    defer { store.close() }
    return try Self.failure {
      try store.unlock(with: vault.credential)
      _ = try store.item(for: item)
      _ = try store.secret(for: item)
    }
  }

  private static func failure(_ body: () throws -> Void) throws -> VaultError? {
    do {
      try body()
      return nil
    } catch let error as VaultError {
      return error
    }
  }

  private typealias Edit = (RawVault) throws -> Void

  private var edits: [(String, Edit)] {
    boxEdits + sealedEdits + claimEdits + scopeEdits
  }

  /// Flipped bits in commitment, ciphertext and tag, and boxes in each other's place.
  private var boxEdits: [(String, Edit)] {
    let offsets = [("commitment", 0), ("ciphertext", 32), ("tag", 111)]
    return offsets.flatMap { name, offset in
      [
        ("\(name) of the secret", edit { $0.secret[offset] ^= 1 }),
        ("\(name) of the attributes", edit { $0.attributes[offset] ^= 1 }),
      ]
    } + [
      ("a box cut short", edit { $0.secret.removeLast(16) }),
      ("secret and attributes exchanged", edit { swap(&$0.secret, &$0.attributes) }),
    ]
  }

  /// What is sealed under the right keys and should not be.
  private var sealedEdits: [(String, Edit)] {
    let wrongPadding = [UInt8](repeating: 0xff, count: 64)
    let wrongList = [0, 0, 0, 2, 1, 1] + [UInt8](repeating: 0, count: 58)
    return [
      ("padding of the secret", seal(wrongPadding, as: .secret)),
      ("padding of the attributes", seal(wrongPadding, as: .attributes)),
      ("structure of the attributes", seal(wrongList, as: .attributes)),
    ]
  }

  private var claimEdits: [(String, Edit)] {
    let columns = ["class = 2", "version = version + 1", "rev = zeroblob(24)", "flags = 1"]
    return columns.map { column in
      ("claim with \(column)", { try $0.execute("UPDATE claim SET \(column)") })
    } + [
      ("a missing claim", { try $0.execute("DELETE FROM claim") }),
      ("a missing box", { try $0.execute("DELETE FROM box") }),
    ]
  }

  private var scopeEdits: [(String, Edit)] {
    [
      ("tags of the pages", { try $0.execute("UPDATE page SET tag = zeroblob(32)") }),
      ("tag of the group", { try $0.execute("UPDATE grp SET tag = zeroblob(32)") }),
      ("counter of the group", { try $0.execute("UPDATE grp SET counter = counter + 1") }),
      ("admin tag", { try $0.editHead { $0.record[RawHead.adminTagRange.lowerBound] ^= 1 } }),
      ("admin counter", { try $0.editHead { $0.record[39] ^= 2 } }),
      (
        "key in the slot",
        { raw in
          try raw.editHead { head in
            head.slots[try head.slotIndex(factors: .keyFile)].record[143] ^= 1
          }
        }
      ),
    ]
  }

  /// Changes the boxes of the item.
  private func edit(_ change: @escaping (inout RawItem) throws -> Void) -> Edit {
    { raw in
      var item = try insider(raw).item(item)
      try change(&item)
      try raw.putBox(item)
    }
  }

  private func seal(_ padded: [UInt8], as part: BoxPart) -> Edit {
    { raw in
      let group = try insider(raw)
      var item = try group.item(item)
      let box = try group.seal(padded, as: part, of: item)
      if part == .secret { item.secret = box } else { item.attributes = box }
      try raw.putBox(item)
    }
  }

  private func insider(_ raw: RawVault) throws -> GroupInsider {
    try GroupInsider(raw, Insider(raw, keyFile: vault.keyFile))
  }
}
