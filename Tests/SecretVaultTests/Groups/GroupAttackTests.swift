import Foundation
import SecretVault
import Testing
import VaultCrypto
import VaultDatabase

/// A program with the key file of one group and write access to the file, against the groups of others.
///
/// The program is a process of its own, which gets the path of the vault, the member's key file and nothing else.
@Suite("A member's program against the others")
struct GroupAttackTests {
  private let groups: GroupVault
  private let member: MemberProcess

  /// Everybody has seen the vault once, on a machine of their own.
  init() throws {
    groups = try GroupVault()
    try groups.open(groups.workKey, onMachine: "work").close()
    try groups.open(groups.homeKey, onMachine: "home").close()
    let administration = try groups.vault.open().administration(with: groups.vault.credential)
    let target = try #require(try administration.groups().first { $0.name == "home" })
    administration.end()
    member = MemberProcess(
      path: groups.vault.path,
      keyFile: groups.workKey.copied(as: [UInt8].self),
      target: target.id
    )
  }

  /// The codes with which the owner of the attacked group meets the vault: opening, reading, listing, writing.
  private func codesOfOwner() throws -> [VaultError.Code?] {
    let store = try groups.open(onMachine: "home")
    defer { store.close() }
    let opening = TemporaryVault.code {
      try store.unlock(with: .keyFile(contents: groups.homeKey))
    }
    guard opening == nil else { return [opening] }
    return [
      TemporaryVault.code {
        guard try store.secret(for: GroupVault.home)?.text == "secret of home" else {
          throw VaultError(.itemNotFound)
        }
      },
      TemporaryVault.code {
        guard try store.items().items.count == 1 else { throw VaultError(.itemNotFound) }
      },
    ]
  }

  @Test("the vault as it is gives nobody an alarm")
  func unharmed() throws {
    #expect(try codesOfOwner() == [nil, nil])
    #expect(try groups.vault.unlockingCode() == nil)
  }

  @Test("a member's keys open no box of another group")
  func reading() async {
    await #expect(processExitsWith: .success) { [member = member as MemberProcess] in
      let raw = try RawVault(member.path)
      let own = try member.insider(raw)
      let posing = try member.insider(raw, posingIn: member.targetID)
      let foreign = try raw.items(of: member.targetID)
      #expect(foreign.count == 1)
      for item in foreign {
        for part in [BoxPart.attributes, .secret] {
          #expect(throws: CryptoError.commitmentMismatch) { try own.open(part, of: item) }
          #expect(throws: CryptoError.commitmentMismatch) { try posing.open(part, of: item) }
        }
        #expect(throws: RawVault.Failure.self) { try posing.item(GroupVault.home) }
      }
      #expect(try own.open(.secret, of: own.item(GroupVault.work)).count == 64)
    }
  }

  @Test("what a member changes or hides in another group is noticed", arguments: Forgery.allCases)
  func forging(_ forgery: Forgery) async throws {
    await #expect(processExitsWith: .success) {
      [member = member as MemberProcess, forgery = forgery as Forgery] in
      try member.commit(forgery)
    }
    try expectNotice(of: forgery)
  }

  private func expectNotice(of forgery: Forgery) throws {
    let codes = try codesOfOwner()
    // Never silence, and never the word that the item is not there.
    #expect(codes.contains { $0 != nil }, "\(forgery): \(codes)")
    #expect(!codes.contains(.itemNotFound), "\(forgery): \(codes)")
    let owner = try groups.vault.open()
    let ownersCode = TemporaryVault.code {
      try owner.unlock(with: groups.vault.credential)
      guard try owner.secret(for: GroupVault.home) != nil else { throw VaultError(.itemNotFound) }
      _ = try owner.items()
    }
    #expect(ownersCode == .tampered)
  }

  @Test(
    "what a member changes in head and slots concerns no group, and is noticed by the owner",
    arguments: HeadForgery.allCases
  )
  func forgingHead(_ forgery: HeadForgery) async throws {
    await #expect(processExitsWith: .success) {
      [member = member as MemberProcess, forgery = forgery as HeadForgery] in
      try member.commit(forgery)
    }
    #expect(try groups.vault.unlockingCode() == .tampered)
    #expect(try codesOfOwner() == [nil, nil])
  }

  @Test("M-6: what a member rolls back in another group is noticed there")
  func rollingBackAnother() async throws {
    let older = try keepCopy()
    try write("newer", GroupVault.home, with: groups.homeKey, onMachine: "home")
    await #expect(processExitsWith: .success) {
      [member = member as MemberProcess, older = older as String] in
      try member.rollBack(member.targetID, to: older)
    }
    #expect(try codesOfOwner() == [.rolledBack])
  }

  @Test("M-6: a member can roll back the own group; the others and what they remember stay silent")
  func rollingBackOwn() async throws {
    let older = try keepCopy()
    try write("newer", GroupVault.work, with: groups.workKey, onMachine: "work")
    await #expect(processExitsWith: .success) {
      [member = member as MemberProcess, older = older as String] in
      let raw = try RawVault(member.path)
      try member.rollBack(member.insider(raw).groupID, to: older)
    }
    #expect(try codesOfOwner() == [nil, nil])
    try write("goes on", GroupVault.home, with: groups.homeKey, onMachine: "home")
    // Who has seen the newer state of the group knows better, and a new machine cannot.
    #expect(try codeOfMember(onMachine: "work") == .rolledBack)
    #expect(try codeOfMember(onMachine: "new") == nil)
  }

  /// Makes one commit, without a notice.
  private func write(
    _ secret: String,
    _ identity: ItemIdentity,
    with key: SecretBytes,
    onMachine name: String
  ) throws {
    let store = try groups.open(key, onMachine: name)
    try store.set(SecretBytes(secret), for: identity)
    #expect(store.takeNotices().isEmpty)
    try store.closeDrained()
  }

  /// The code with which the member meets the vault.
  private func codeOfMember(onMachine name: String) throws -> VaultError.Code? {
    let store = try groups.open(onMachine: name)
    defer { store.close() }
    return TemporaryVault.code { try store.unlock(with: .keyFile(contents: groups.workKey)) }
  }

  /// Copies the file, as a member may at any time.
  private func keepCopy() throws -> String {
    let path = groups.vault.folder + "/older.vault"
    try groups.vault.writePrivately(
      try Data(contentsOf: URL(fileURLWithPath: groups.vault.path)),
      to: path
    )
    return path
  }
}
