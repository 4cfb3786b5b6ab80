import SecretVault
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Somebody whose slot a rotation dropped, who kept the former file and keys, and who can write the vault.
///
/// They put the former slots back, those of the others too, and sign with the former key whatever they like: epochs,
/// counters and writers.
@Suite("Forged epochs after a rotation")
struct FormerMemberTests {
  private let rotated: RotatedVault
  private let formerKey: SecretBytes
  private var vault: TemporaryVault { rotated.vault }
  private static let tables = ["slot", "grp", "page", "claim", "box"]

  init() throws {
    rotated = try RotatedVault()
    formerKey = try Credential.makeKeyFile()
  }

  private func addFormer(group: String?) throws {
    let store = try vault.open()
    var slot = SecretStore.NewSlot(.keyFile(contents: formerKey), label: "former")
    slot.group = group
    try store.administration(with: vault.credential).addSlot(slot)
    try store.closeDrained()
  }

  /// A record with a number that nobody has reached, at 16 a group's epoch, at 24 and 32 the head's epoch and counter.
  private func lifted(_ record: [UInt8], at offset: Int) -> [UInt8] {
    var record = record
    record[offset + 6] = 1
    return record
  }

  /// The group's commits so far, so that no writer of it is missing.
  private func states() throws -> [(id: RawVault.Value, state: RawVault.Value)] {
    try vault.raw().execute("SELECT group_id, state FROM grp").map { ($0[0], $0[1]) }
  }

  /// Puts the tables back and makes every group of which the key is known one of a later epoch.
  private func putBack(
    _ former: [String: [[RawVault.Value]]],
    states: [(id: RawVault.Value, state: RawVault.Value)],
    _ records: [[UInt8]]
  ) throws {
    let raw = try vault.raw()
    for (name, rows) in former { try raw.replace(name, with: rows) }
    for (id, state) in states {
      try raw.execute(
        "UPDATE grp SET state = ?, counter = 1000000 WHERE group_id = ?",
        [state, id]
      )
    }
    for record in records {
      try raw.execute(
        "UPDATE grp SET record = ? WHERE group_id = ?",
        [.blob(record), .blob(Array(record[..<16]))]
      )
    }
  }

  private func tables() throws -> [String: [[RawVault.Value]]] {
    let raw = try vault.raw()
    return try Dictionary(uniqueKeysWithValues: Self.tables.map { ($0, try raw.rows(of: $0)) })
  }

  @Test("M-2b: the former key of a group with a later epoch opens with no slot of a member")
  func group() throws {
    try addFormer(group: "work")
    let former = try tables()
    let insider = try GroupInsider(vault.raw(), groupKeyFile: formerKey)
    let scope = insider.groupID
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    #expect(try vault.unlockingCode(rotated.workKey) == nil)
    let states = try states().filter { $0.id.bytes == scope }
    let record = try #require(
      former["grp"]?.flatMap(\.self).map(\.bytes).first { bytes in
        bytes.count == 128 && bytes.starts(with: scope)
      }
    )
    let forged = lifted(record, at: 16)
    try putBack(former, states: states, [forged])
    insider.epoch = Array(forged[16..<24])
    try insider.sign()
    try vault.raw().editHead { $0.fixCounts() }
    #expect(try vault.unlockingCode(rotated.workKey) == .credentialRejected)
    #expect(try vault.unlockingCode() == .tampered)
  }

  @Test("H-9: the former root key with a later epoch opens with no slot of another")
  func root() throws {
    try addFormer(group: nil)
    let former = try tables()
    let formerHead = try vault.raw().head()
    let insider = try Insider(vault.raw(), keyFile: formerKey)
    try rotated.rotate()
    #expect(try vault.unlockingCode() == nil)
    let headState = try vault.raw().head().state
    let records = try formerHead.groups.map { record in
      let header = lifted(Array(record[..<24]), at: 16)
      return try header + insider.wrapped(insider.groupKey(of: record), header)
    }
    try putBack(former, states: states(), records)
    let raw = try vault.raw()
    try raw.editHead { head in
      head.record = lifted(lifted(formerHead.record, at: 24), at: 32)
      head.state = headState
      head.fixCounts()
    }
    for number in records.indices { try GroupInsider(raw, insider, group: number).sign() }
    var head = try raw.head()
    try insider.sign(&head)
    try raw.put(head)
    #expect(try vault.unlockingCode() == .credentialRejected)
    // Nothing but the epoch that the slots are made for keeps it out.
    #expect(try vault.unlockingCode(rotated.passphrase) == .credentialRejected)
  }
}

extension Insider {
  /// The key that a group record wraps.
  fileprivate func groupKey(of record: [UInt8]) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var output = bytes.mutableSpan
    let context = Label.group.tag + vaultID + record[..<24]
    _ = try SealedBox.open(
      record.span.extracting(48...),
      with: root.wrapKey().sealingContext(),
      salt: record.span.extracting(24..<48),
      context: context.span,
      using: cipher,
      into: &output
    )
    return bytes
  }

  /// Salt and box of a group key for a record of this header.
  fileprivate func wrapped(_ key: [UInt8], _ header: [UInt8]) throws -> [UInt8] {
    let salt = [UInt8](repeating: 7, count: 24)
    let context = Label.group.tag + vaultID + header
    return salt
      + (try SealedBox.seal(
        key.span,
        with: root.wrapKey().sealingContext(),
        salt: salt.span,
        context: context.span,
        using: cipher
      ))
  }
}
