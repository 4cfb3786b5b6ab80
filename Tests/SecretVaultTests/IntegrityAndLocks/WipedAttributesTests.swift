import SecretMemory
import SecretVault
import TestSupport
import Testing

/// Looks for attributes in the whole memory of a process that has locked its vault.
@Suite("Attributes after a lock")
struct WipedAttributesTests {
  private let vault: TemporaryVault
  private let child: ChildVault

  init() throws {
    vault = try .withEveryClass(alsoProtectedBy: [.passphrase("correct horse")])
    child = ChildVault(vault)
  }

  @Test("L-2: attributes that a listing opened are gone with the listing")
  func attributes() async throws {
    let hidden = (0..<32).map { _ in UInt8.random(in: 1...255) }
    try setComment(hidden.map { $0 ^ 0x5a })
    await #expect(processExitsWith: .success) {
      [child = child as ChildVault, hidden = hidden as [UInt8]] in
      let pattern = try MaskedPattern(revealing: hidden)
      let store = try child.openUnlocked()
      #expect(try !KeyPatterns.isInMemory(pattern))
      var listing = try store.items() as ItemListing?
      #expect(listing?.items.count == 5)
      #expect(try KeyPatterns.isInMemory(pattern), "held by the listing")
      listing = nil
      #expect(try store.items(matching: ItemQuery(service: "none")).items.isEmpty)
      #expect(try store.secret(for: .of(.whenUnlocked))?.text == "token")
      store.lock()
      #expect(try !KeyPatterns.isInMemory(pattern))
    }
  }

  @Test("L-2: the name of a group is gone with the lock")
  func groupName() async throws {
    let hidden = (0..<200).map { _ in UInt8.random(in: 0x61...0x7a) ^ 0x5a }
    // The middle of it, since the allocator writes over the ends of what was freed.
    let middle = Array(hidden[80..<120])
    let other = try TemporaryVault()
    try makeVault(other, group: String(decoding: hidden.map { $0 ^ 0x5a }, as: UTF8.self))
    await #expect(processExitsWith: .success) {
      [child = ChildVault(other) as ChildVault, middle = middle as [UInt8]] in
      let pattern = try MaskedPattern(revealing: middle)
      let store = try child.openUnlocked()
      #expect(try KeyPatterns.isInMemory(pattern))
      store.lock()
      #expect(try !KeyPatterns.isInMemory(pattern))
    }
  }

  private func makeVault(_ vault: TemporaryVault, group: String) throws {
    let slot = SecretStore.NewSlot(vault.credential)
    let store = try SecretStore.create(
      at: vault.path,
      protectedBy: [slot],
      group: group,
      options: vault.options
    )
    store.close()
  }

  private func setComment(_ comment: [UInt8]) throws {
    let store = try vault.openUnlocked()
    try store.update(.of(.whenUnlocked)) { item, _ in item.comment = AttributeValue(data: comment) }
    store.close()
  }
}

extension MaskedPattern {
  /// Takes bytes that were combined with `0x5a`, so that they come to a child unseen.
  fileprivate init(revealing hidden: [UInt8]) throws {
    let revealed = try SecretBytes(count: hidden.count) { bytes in
      for index in hidden.indices { bytes[index] = hidden[index] ^ 0x5a }
    }
    self = revealed.withBytes { MaskedPattern(of: $0) }
  }
}
