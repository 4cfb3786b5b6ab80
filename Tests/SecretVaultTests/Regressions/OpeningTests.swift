import Foundation
import SecretVault
import Synchronization
import Testing
import VaultCrypto
import VaultDatabase
import VaultFormat

@Suite("Openings beside others")
struct OpeningTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws { vault = try TemporaryVault() }

  @Test("a vault that only reads is not taken for rolled back when another process writes")
  func readOnlyBesideWriter() throws {
    let writer = try vault.create()
    try writer.set(SecretBytes("one"), for: item)
    #expect(try writer.emptyLog())
    var options = vault.options
    options.isReadOnly = true
    let reader = try SecretStore.open(at: vault.path, options: options)
    try writer.set(SecretBytes("two"), for: item)
    try reader.unlock(with: vault.credential)
    #expect(try reader.secret(for: item)?.text == "two")
    try writer.set(SecretBytes("three"), for: item)
    #expect(try reader.secret(for: item)?.text == "three")
    #expect(throws: VaultError(.readOnly)) { try reader.set(SecretBytes("four"), for: item) }
    #expect(try reader.emptyLog() == false, "a reader cannot write the log back")
    writer.close()
    #expect(try reader.emptyLog())
    reader.close()
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: vault.path + suffix)
    }
    let alone = try SecretStore.open(at: vault.path, options: options)
    try alone.unlock(with: vault.credential)
    #expect(try alone.secret(for: item)?.text == "three")
  }

  @Test("a vault that is made where another was deleted takes nothing of its log")
  func leftoverLog() throws {
    let first = try vault.create()
    for number in 0..<40 {
      try first.set(SecretBytes("old"), for: ItemIdentity(service: "old \(number)"))
    }
    // The process ends without emptying the log, and a person deletes the one file they know of.
    try FileManager.default.copyItem(atPath: vault.path + "-wal", toPath: vault.folder + "/wal")
    first.close()
    try FileManager.default.removeItem(atPath: vault.path)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: vault.path + suffix)
    }
    try FileManager.default.moveItem(atPath: vault.folder + "/wal", toPath: vault.path + "-wal")
    let second = try vault.create()
    #expect(try second.items().items.isEmpty)
    try second.set(SecretBytes("new"), for: item)
    #expect(try vault.openUnlocked().secret(for: item)?.text == "new")
    #expect(try second.administration(with: vault.credential).check().isSound)
  }

  @Test("openings at the same time agree on the device key")
  func deviceKey() throws {
    let maker = try vault.create()
    maker.close()
    for round in 0..<60 {
      var options = vault.options
      options.stateDirectory = vault.folder + "/state \(round)"
      let openings = (0..<4).map { number in
        Background { [vault, options] in
          let store = try SecretStore.open(at: vault.path, options: options)
          try store.unlock(with: vault.credential)
          try store.set(
            SecretBytes("bound"),
            for: ItemIdentity(service: "\(round)", account: "\(number)"),
            accessibility: .whenUnlockedThisDeviceOnly
          )
        }
      }
      for opening in openings { try opening.result().get() }
      let store = try SecretStore.open(at: vault.path, options: options)
      try store.unlock(with: vault.credential)
      for number in 0..<4 {
        let bound = ItemIdentity(service: "\(round)", account: "\(number)")
        #expect(try store.secret(for: bound)?.text == "bound")
      }
    }
  }

  @Test("a vault that was made here is known here, also to who insists on that")
  func madeHere() throws {
    var options = vault.options
    options.requiresAnchor = true
    let store = try SecretStore.create(
      at: vault.path,
      protectedBy: [SecretStore.NewSlot(vault.credential)],
      options: options
    )
    #expect(store.takeNotices() == [])
    try SecretStore.open(at: vault.path, options: options).unlock(with: vault.credential)
  }

  @Test("a vault that vanished, or became a link, is told as such by a store that is open")
  func vanished() throws {
    try vault.create().close()
    let store = try vault.open()
    let administration = try store.administration(with: vault.credential)
    try FileManager.default.moveItem(atPath: vault.path, toPath: vault.path + ".moved")
    // An administration connects anew.
    #expect(throws: VaultError(.vaultMissing)) {
      try store.administration(with: vault.credential)
    }
    try FileManager.default.createSymbolicLink(
      atPath: vault.path,
      withDestinationPath: vault.path + ".moved"
    )
    #expect(throws: VaultError(.insecureFile)) {
      try store.administration(with: vault.credential)
    }
    _ = try administration.slots()
  }

  @Test("who opens a vault while it is made anew at a known path does not take it for replaced")
  func madeAnewBesideOpener() throws {
    try vault.create().close()
    for _ in 0..<40 {
      try FileManager.default.removeItem(atPath: vault.path)
      let isMade = Atomic<Bool>(false)
      let opener = Background { [vault] in
        while !isMade.load(ordering: .relaxed) {
          do {
            _ = try vault.openUnlocked()
          } catch let error as VaultError where error.code == .vaultMissing {
            continue
          }
        }
      }
      try vault.create().close()
      isMade.store(true, ordering: .relaxed)
      try opener.result().get()
    }
  }

  @Test("groups that only the file names leave nothing in the state folder")
  func foreignGroups() throws {
    let store = try vault.create()
    store.close()
    let before = try FileManager.default.contentsOfDirectory(atPath: vault.statePath + "/anchors")
    let connection = try SQLiteDatabase(path: vault.path, busyTimeout: 1000).connect(.readWrite)
    let head = try connection.head()
    let group = try #require(try connection.groups().first)
    var record = group.record
    record[0] ^= 1
    try connection.beginWrite()
    _ = try connection.insertGroup(
      id: record.span.extracting(0..<16),
      record: record.span,
      counter: 1,
      tag: group.position.tag.span,
      name: group.name.span,
      state: Span(),
      branches: Span()
    )
    // The checksum of the head needs no key.
    var forged = try HeadRecord(parsing: head.record.span)
    forged.groupCount += 1
    let body = HeadRecord.body(
      head: forged,
      state: head.state,
      slots: try connection.slots().map { (record: $0.record, label: $0.label) },
      groups: [group.record, record]
    )
    forged.checksum = Identifier(try SHA512.check(.checksum, body.span))
    try connection.putHead(HeadRow(record: forged.bytes, state: head.state))
    try connection.commit()
    connection.close()
    #expect(throws: VaultError(.tampered)) { try vault.openUnlocked() }
    let after = try FileManager.default.contentsOfDirectory(atPath: vault.statePath + "/anchors")
    #expect(after.sorted() == before.sorted())
  }

  @Test("a name that is too long for the file system is the caller's mistake")
  func longName() throws {
    for count in [252, 255, 256, 5_000] {
      let path = vault.folder + "/" + String(repeating: "x", count: count)
      #expect(throws: VaultError(.invalidArgument)) {
        try SecretStore.create(
          at: path,
          protectedBy: [SecretStore.NewSlot(vault.credential)],
          options: vault.options
        )
      }
      #expect(throws: VaultError.self) { try SecretStore.open(at: path, options: vault.options) }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder).allSatisfy { $0.count < 99 }
    )
  }
}
