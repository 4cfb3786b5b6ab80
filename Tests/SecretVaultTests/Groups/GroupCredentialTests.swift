import Foundation
import SecretVault
import Testing

/// What a program can do that has the key file of one group, with the library as it is.
@Suite("A credential of one group")
struct GroupCredentialTests {
  private let groups: GroupVault
  private let member: SecretStore

  init() throws {
    groups = try GroupVault()
    member = try groups.open(groups.workKey)
  }

  @Test("L-5: it reads and writes its own group whole")
  func ownGroup() throws {
    #expect(member.openedGroups == ["work"])
    #expect(try member.items().items.map(\.identity) == [GroupVault.work])
    // Without a name the only group is meant.
    let new = ItemIdentity(service: "new.example.com")
    try member.add(SecretItem(identity: new), secret: SecretBytes("one"))
    try member.update(new) { item, secret in
      item.label = "New"
      secret = try SecretBytes("two")
    }
    #expect(try member.secret(for: new)?.text == "two")
    #expect(try member.remove(GroupVault.work))
    let owner = try groups.vault.openUnlocked()
    let seen = ItemIdentity(service: "new.example.com", group: "work")
    #expect(try owner.secret(for: seen)?.text == "two")
    #expect(try owner.secret(for: GroupVault.work) == nil)
  }

  @Test(
    "L-5: it reads, lists, writes and deletes nothing in another group",
    arguments: [GroupVault.own, GroupVault.home]
  )
  func otherGroup(_ identity: ItemIdentity) throws {
    #expect(throws: VaultError(.notPermitted)) { try member.secret(for: identity) }
    #expect(throws: VaultError(.notPermitted)) { try member.item(for: identity) }
    #expect(throws: VaultError(.notPermitted)) {
      try member.set(SecretBytes("x"), for: identity)
    }
    #expect(throws: VaultError(.notPermitted)) {
      try member.add(SecretItem(identity: identity), secret: nil)
    }
    #expect(throws: VaultError(.notPermitted)) { try member.remove(identity) }
    #expect(throws: VaultError(.notPermitted)) { try member.update(identity) { _, _ in } }
    #expect(throws: VaultError(.notPermitted)) {
      try member.items(matching: ItemQuery(group: identity.group))
    }
    #expect(throws: VaultError(.notPermitted)) {
      try member.update(GroupVault.work) { item, _ in item.identity.group = identity.group }
    }
    let owner = try groups.vault.openUnlocked()
    #expect(try owner.secret(for: identity)?.text == "secret of \(identity.group ?? "")")
  }

  @Test("L-5: every administrative operation is refused, and changes nothing")
  func administration() throws {
    let credential = Credential.keyFile(contents: groups.workKey)
    #expect(throws: VaultError(.notPermitted)) { try member.administration(with: credential) }
    // The store of a member is no way in for the member; the credential of the whole vault is.
    let administration = try member.administration(with: groups.vault.credential)
    #expect(try administration.slots().count == 3)
    #expect(member.openedGroups == ["work"])
  }

  @Test("one credential for several groups opens all of them, with a passphrase too")
  func severalGroups() throws {
    let owner = try groups.vault.openUnlocked()
    let administration = try owner.administration(with: groups.vault.credential)
    for name in ["work", "home"] {
      var slot = try SecretStore.NewSlot.passphrase("of two groups")
      slot.group = name
      try administration.addSlot(slot)
    }
    let both = try groups.open(onMachine: "member")
    try both.unlock(with: .passphrase(SecretBytes("of two groups")))
    #expect(both.openedGroups.sorted() == ["home", "work"])
    #expect(throws: VaultError(.ambiguousGroup)) {
      try both.secret(for: ItemIdentity(service: "work.example.com"))
    }
    try both.transaction { transaction in
      try transaction.set(SecretBytes("both"), for: GroupVault.work)
      try transaction.set(SecretBytes("both"), for: GroupVault.home)
    }
    for identity in [GroupVault.work, GroupVault.home] {
      #expect(try owner.secret(for: identity)?.text == "both")
    }
    #expect(throws: VaultError(.notPermitted)) { try both.secret(for: GroupVault.own) }
  }

  @Test("a group's slot record with another scope opens nothing")
  func movedScope() throws {
    member.close()
    let raw = try groups.vault.raw()
    let head = try raw.head()
    let scopes = [[UInt8](repeating: 0, count: 16)] + head.groups.map { Array($0[..<16]) }
    let index = try #require(
      head.slots.firstIndex { slot in
        (try? GroupInsider(raw, groupKeyFile: groups.workKey).groupID)
          == Array(slot.record[24..<40])
      }
    )
    for scope in scopes where scope != Array(head.slots[index].record[24..<40]) {
      try raw.editHead { $0.slots[index].record.replaceSubrange(24..<40, with: scope) }
      let store = try groups.open(onMachine: "member")
      #expect(throws: VaultError(.credentialRejected)) {
        try store.unlock(with: .keyFile(contents: groups.workKey))
      }
      #expect(try groups.vault.unlockingCode() == .tampered)
      try raw.put(head)
    }
    #expect(try groups.open(groups.workKey).openedGroups == ["work"])
  }

  @Test("a head from before a change does not concern a member, whose group is as it was")
  func olderHead() throws {
    member.close()
    let raw = try groups.vault.raw()
    let head = try raw.head()
    let owner = try groups.vault.openUnlocked()
    try owner.administration(with: groups.vault.credential).addSlot(.passphrase("another"))
    owner.close()
    try raw.put(head)
    let again = try groups.open(groups.workKey)
    #expect(try again.secret(for: GroupVault.work)?.text == "secret of work")
    #expect(again.takeNotices().isEmpty)
    #expect(try groups.vault.unlockingCode() == .rolledBack)
  }

  @Test("the head of another vault gives a member nothing")
  func foreignHead() throws {
    member.close()
    let other = try GroupVault()
    let raw = try groups.vault.raw()
    let foreign = try other.vault.raw().head()
    try raw.editHead { head in
      head.record = foreign.record
      head.slots = foreign.slots
    }
    let store = try groups.open(onMachine: "new")
    // Its slots are bound to that vault, and open groups that are not here.
    #expect(throws: VaultError(.credentialRejected)) {
      try store.unlock(with: .keyFile(contents: groups.workKey))
    }
    #expect(throws: VaultError(.tampered)) {
      try store.unlock(with: .keyFile(contents: other.workKey))
    }
    #expect(store.openedGroups.isEmpty)
  }
}
