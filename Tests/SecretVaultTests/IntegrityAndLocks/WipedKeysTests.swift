import SecretMemory
import SecretVault
import TestSupport
import Testing
import VaultFormat

/// Looks through the whole memory of a process that has locked its vault.
@Suite("Keys and attributes after a lock")
struct WipedKeysTests {
  private let vault: TemporaryVault
  private let child: ChildVault

  /// A vault with one item of every class.
  init() throws {
    vault = try TemporaryVault()
    child = ChildVault(vault)
    var passphrase = SecretStore.NewSlot(.passphrase(try SecretBytes("correct horse")))
    passphrase.log2N = 15
    let store = try vault.create(alsoProtectedBy: [passphrase])
    for accessibility in Accessibility.allCases {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    store.close()
  }

  @Test("L-2: the search finds what is planted, and nothing that was let go")
  func searchWorks() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      #expect(try !KeyPatterns.isInMemory(pattern))
      let planted = try SecretBytes(count: 32) { pattern.write(to: &$0) }
      #expect(try KeyPatterns.isInMemory(pattern))
      _ = consume planted
      #expect(try !KeyPatterns.isInMemory(pattern))
    }
  }

  @Test("L-2: a lock wipes the leaves of the classes that it closes, and no other key")
  func leaves() async {
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let patterns = try KeyPatterns(child)
      let store = try child.open()
      #expect(try patterns.leafCount == 0, "before the first unlock")
      try store.unlock(with: child.credential)
      try useEveryItem(of: store)
      #expect(try patterns.leafCount == 10, "unlocked")
      #expect(try !KeyPatterns.isInMemory(patterns.root))
      #expect(try !KeyPatterns.isInMemory(patterns.group))
      store.lock()
      for accessibility in Accessibility.allCases {
        let expected = accessibility.classByte.isLockedWhenLocked ? 0 : 2
        #expect(try patterns.leafCount(accessibility) == expected, "\(accessibility)")
      }
      #expect(try KeyPatterns.isInMemory(patterns.index))
      #expect(try KeyPatterns.isInMemory(patterns.manifest))
      store.close()
      #expect(try patterns.leafCount == 0, "closed")
      #expect(try !KeyPatterns.isInMemory(patterns.index))
      #expect(try !KeyPatterns.isInMemory(patterns.manifest))
    }
  }

  @Test("L-2: a lock wipes the key of the last message that was opened or sealed")
  func messageKey() async {
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let store = try child.openUnlocked()
      let item = ItemIdentity.of(.whenUnlocked)
      let claim = try #require(
        try RawDatabase(child.path).claims().first {
          $0.accessibility == Accessibility.whenUnlocked.classByte.rawValue
        }
      )
      let pattern = try DerivedKeys(child).messageKey(ofSecretOf: claim)
      #expect(try store.secret(for: item)?.text == "token")
      #expect(try KeyPatterns.isInMemory(pattern), "the cipher keeps the key of its last message")
      store.lock()
      #expect(try !KeyPatterns.isInMemory(pattern))
    }
  }

  @Test("L-2: the root key lives as long as an administration, which a lock ends")
  func rootKey() async {
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let patterns = try KeyPatterns(child)
      let store = try child.openUnlocked()
      let administration = try store.administration(with: child.credential)
      #expect(try administration.check().isSound)
      #expect(try KeyPatterns.isInMemory(patterns.root))
      store.lock()
      #expect(try !KeyPatterns.isInMemory(patterns.root))
      #expect(try patterns.leafCount(.whenUnlocked) == 0)
      #expect(throws: VaultError(.locked)) { try administration.slots() }
    }
  }

  @Test("L-2: a lock of the first kind, before any unlock, leaves no key at all")
  func beforeFirstUnlock() async {
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let patterns = try KeyPatterns(child)
      let provider = ManualLockState()
      let store = try child.openUnlocked(lockState: provider)
      try useEveryItem(of: store)
      provider.set(.beforeFirstUnlock)
      #expect(try patterns.leafCount == 0)
      #expect(try !KeyPatterns.isInMemory(patterns.index))
      #expect(try !KeyPatterns.isInMemory(patterns.manifest))
    }
  }

  @Test("L-2: a lock wipes also the keys of the session that an unlock is using")
  func unlockUnderWay() async throws {
    try addSlowSlot()
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let patterns = try KeyPatterns(child)
      let store = try child.openUnlocked()
      try useEveryItem(of: store)
      let before = MemoryMapping.totalByteCount
      let unlock = Background {
        try store.unlock(with: .passphrase(SecretBytes("another passphrase")))
      }
      // The unlock has taken the store's only session when scrypt has its 128 MiB.
      #expect(eventually { MemoryMapping.totalByteCount > before + 100 << 20 })
      store.lock()
      #expect(throws: VaultError(.credentialRejected)) { try unlock.result().get() }
      #expect(try patterns.leafCount(.whenUnlocked) == 0)
    }
  }

  private func addSlowSlot() throws {
    let store = try vault.openUnlocked()
    var slow = SecretStore.NewSlot(.passphrase(try SecretBytes("slow")))
    slow.log2N = 17
    try store.administration(with: vault.credential).addSlot(slow)
    store.close()
  }

  @Test("L-4: a provider that unlocks without a credential makes no key appear")
  func policyOnly() async {
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      let patterns = try KeyPatterns(child)
      let provider = ManualLockState()
      let store = try child.openUnlocked(lockState: provider)
      try useEveryItem(of: store)
      provider.lock()
      provider.unlock()
      #expect(try patterns.leafCount(.whenUnlocked) == 0)
      #expect(throws: VaultError(.locked)) { try store.secret(for: .of(.whenUnlocked)) }
      #expect(try store.secret(for: .of(.afterFirstUnlock))?.text == "token")
    }
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

/// Reads and writes every item, so that every context is keyed that ever is.
private func useEveryItem(of store: SecretStore) throws {
  #expect(try store.items().items.count == Accessibility.allCases.count)
  for accessibility in Accessibility.allCases {
    #expect(try store.secret(for: .of(accessibility))?.text == "token")
    try store.set(SecretBytes("token"), for: .of(accessibility))
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

extension MemoryMapping {
  /// The size of everything that is mapped.
  fileprivate static var totalByteCount: Int { all().reduce(0) { $0 + $1.addresses.count } }
}

extension ItemIdentity {
  /// The item of a class.
  static func of(_ accessibility: Accessibility) -> ItemIdentity {
    ItemIdentity(service: accessibility.rawValue, account: "alice")
  }
}
