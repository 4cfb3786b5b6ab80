import SecretMemory
import SecretVault
import TestSupport
import Testing
import VaultFormat

/// Looks for keys in the whole memory of a process that has locked its vault.
@Suite("Keys after a lock")
struct WipedKeysTests {
  private let vault: TemporaryVault
  private let child: ChildVault

  init() throws {
    vault = try .withEveryClass(alsoProtectedBy: [.passphrase("correct horse")])
    child = ChildVault(vault)
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
}

/// Reads and writes every item, so that every context is keyed that ever is.
private func useEveryItem(of store: SecretStore) throws {
  #expect(try store.items().items.count == Accessibility.allCases.count)
  for accessibility in Accessibility.allCases {
    #expect(try store.secret(for: .of(accessibility))?.text == "token")
    try store.set(SecretBytes("token"), for: .of(accessibility))
  }
}

extension MemoryMapping {
  /// The size of everything that is mapped.
  fileprivate static var totalByteCount: Int { all().reduce(0) { $0 + $1.addresses.count } }
}
