import SecretVault
import Testing

@Suite("Lock matrix")
struct LockMatrixTests {
  private let vault: TemporaryVault
  private let present = ItemIdentity(service: "api.example.com", account: "alice")
  private let absent = ItemIdentity(service: "api.example.com", account: "bob")

  init() throws {
    vault = try TemporaryVault()
  }

  @Test(
    "L-1: the class and the state of the vault decide what each operation answers",
    arguments: LockMatrixRow.all
  )
  func matrix(_ row: LockMatrixRow) throws {
    try makeVault(with: row.accessibility)
    for phase in LockPhase.allCases {
      let store = try store(in: phase)
      let expected = row.answer(in: phase)
      #expect(try answer(of: store, to: row) == expected, "\(phase)")
      store.close()
      try expectContents(changedBy: expected == .done ? row.operation : nil, "\(phase)")
      try restoreContents(row.accessibility)
    }
  }

  @Test("L-1: the matrix names every class and operation once")
  func completeness() {
    let rows = Set(LockMatrixRow.all.map(\.testDescription))
    #expect(rows.count == Accessibility.allCases.count * ItemOperation.allCases.count)
    #expect(LockMatrixRow.all.count == rows.count)
  }

  @Test(
    "L-1: a locked item keeps its name: nothing that is open can take it or give up its own class"
  )
  func guardedName() throws {
    let store = try vault.create()
    let open = ItemIdentity(service: "open")
    try store.set(SecretBytes("token"), for: present)
    try store.set(SecretBytes("open"), for: open, accessibility: .afterFirstUnlock)
    store.lock()
    let locked = VaultError(.locked)
    #expect(throws: locked) {
      try store.add(SecretItem(identity: present, accessibility: .afterFirstUnlock), secret: nil)
    }
    #expect(throws: locked) {
      try store.set(SecretBytes("x"), for: present, accessibility: .afterFirstUnlock)
    }
    #expect(throws: locked) { try store.update(open) { item, _ in item.identity = present } }
    #expect(throws: locked) {
      try store.update(open) { item, _ in item.accessibility = .whenUnlocked }
    }
    #expect(throws: locked) {
      try store.set(SecretBytes("x"), for: open, accessibility: .whenUnlocked)
    }
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: present)?.text == "token")
    #expect(try store.secret(for: open)?.text == "open")
    #expect(try store.items().items.count == 2)
  }

  @Test("L-1: a locked vault tells a locked item from a missing one, and knows its groups unnamed")
  func whatIsStillKnown() throws {
    let store = try vault.create()
    try store.set(SecretBytes("token"), for: present)
    #expect(store.openedGroups == ["default"])
    store.lock()
    #expect(store.openedGroups == [])
    #expect(throws: VaultError(.locked)) { try store.secret(for: present) }
    #expect(try store.secret(for: absent) == nil)
    #expect(try store.remove(absent) == false)
    var named = present
    named.group = "default"
    #expect(throws: VaultError(.locked)) { try store.secret(for: named) }
    named.group = "other"
    #expect(throws: VaultError(.notPermitted)) { try store.secret(for: named) }
  }

  /// One item of the class, in a vault with a passphrase, which the fifth class needs.
  private func makeVault(with accessibility: Accessibility) throws {
    var passphrase = SecretStore.NewSlot(.passphrase(try SecretBytes("correct horse")))
    passphrase.log2N = 15
    let store = try vault.create(alsoProtectedBy: [passphrase])
    try store.set(SecretBytes("token"), for: present, accessibility: accessibility)
    store.close()
  }

  private func store(in phase: LockPhase) throws -> SecretStore {
    let store = try vault.open()
    if phase != .beforeFirstUnlock { try store.unlock(with: vault.credential) }
    if phase == .locked { store.lock() }
    return store
  }

  private func answer(of store: SecretStore, to row: LockMatrixRow) throws -> LockAnswer {
    do {
      switch row.operation {
      case .add:
        let item = SecretItem(identity: absent, accessibility: row.accessibility)
        try store.add(item, secret: SecretBytes("second"))
      case .get:
        #expect(try store.secret(for: present)?.text == "token")
        #expect(try store.item(for: present)?.accessibility == row.accessibility)
      case .list:
        let listing = try store.items()
        if listing.items.isEmpty, listing.lockedCount == 1 { return .counted }
        #expect(listing.items.map(\.accessibility) == [row.accessibility])
        #expect(listing.lockedCount == 0)
      case .update:
        try store.update(present) { item, secret in
          item.label = "changed"
          secret = try SecretBytes("changed")
        }
      case .delete:
        #expect(try store.remove(present))
      }
      return .done
    } catch let error as VaultError where error.code == .locked {
      return .locked
    }
  }

  /// What an unlocked store sees afterwards: the effect of the operation, or none.
  private func expectContents(changedBy operation: ItemOperation?, _ phase: Comment) throws {
    let store = try vault.openUnlocked()
    defer { store.close() }
    let secret: String? =
      switch operation {
      case .update: "changed"
      case .delete: nil
      default: "token"
      }
    #expect(try store.secret(for: present)?.text == secret, phase)
    #expect(try store.secret(for: absent)?.text == (operation == .add ? "second" : nil), phase)
  }

  private func restoreContents(_ accessibility: Accessibility) throws {
    let store = try vault.openUnlocked()
    defer { store.close() }
    try store.remove(absent)
    try store.set(SecretBytes("token"), for: present, accessibility: accessibility)
  }
}
