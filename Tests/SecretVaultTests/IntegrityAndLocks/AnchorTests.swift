import Foundation
import Glibc
import SecretVault
import Testing

@Suite("Anchors")
struct AnchorTests {
  private let vault: TemporaryVault
  private var anchors: String { vault.statePath + "/anchors" }

  /// A vault that this machine has seen several commits of, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(3, "base")
    try store.closeDrained()
  }

  /// What can become of the files that remember the scopes of a vault.
  enum Damage: CaseIterable {
    case missing
    case empty
    case truncated
    case ofAnotherVault
    case unreadable
  }

  private func anchorNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: anchors).filter { $0.contains("-") }
  }

  private func damage(_ kind: Damage) throws {
    let other = try TemporaryVault()
    let ahead = try other.create()
    try ahead.write(9, "ahead")
    try ahead.closeDrained()
    let names = try FileManager.default.contentsOfDirectory(atPath: other.statePath + "/anchors")
    let root = String(repeating: "0", count: 32)
    let foreign = try #require(names.first { $0.contains("-") && !$0.hasSuffix(root) })
    for name in try anchorNames() {
      let path = anchors + "/" + name
      let contents = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.removeItem(atPath: path)
      switch kind {
      case .missing: break
      case .empty: try vault.writePrivately(Data(), to: path)
      case .truncated: try vault.writePrivately(contents.prefix(100), to: path)
      case .ofAnotherVault:
        let source = other.statePath + "/anchors/" + foreign
        try FileManager.default.copyItem(atPath: source, toPath: path)
      case .unreadable: #expect(unsafe mkdir(path, 0o700) == 0)
      }
    }
  }

  @Test("M-4: a lost anchor is trust on first use, with a notice", arguments: Damage.allCases)
  func lostAnchor(_ kind: Damage) throws {
    try damage(kind)
    let store = try vault.openUnlocked()
    let notice = kind == .unreadable ? Notice.anchorUnavailable : .firstSeen
    #expect(store.takeNotices() == [notice])
    #expect(try store.items().items.count == 3)
    try store.write(1, "later")
  }

  @Test("M-4: a lost anchor is refused where one is required", arguments: Damage.allCases)
  func strict(_ kind: Damage) throws {
    var options = vault.options
    options.requiresAnchor = true
    try SecretStore.open(at: vault.path, options: options).unlock(with: vault.credential)
    try damage(kind)
    let store = try SecretStore.open(at: vault.path, options: options)
    let code = kind == .unreadable ? VaultError.Code.inputOutput : .rolledBack
    #expect(throws: VaultError(code)) { try store.unlock(with: vault.credential) }
    #expect(throws: VaultError(.locked)) { try store.items() }
  }

  @Test(
    "M-4: an anchor that was lost is made anew and guards from then on",
    arguments: Damage.allCases.filter { $0 != .unreadable }
  )
  func anew(_ kind: Damage) throws {
    try damage(kind)
    let old = try vault.copy()
    let store = try vault.openUnlocked()
    try store.write(1, "later")
    try store.closeDrained()
    try vault.put(old)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  @Test("M-4: of two cells one may be torn, and the other still guards", arguments: [0, 2_048])
  func tornCell(_ offset: Int) throws {
    let old = try vault.copy()
    let store = try vault.openUnlocked()
    try store.write(4, "later")
    try store.closeDrained()
    for name in try anchorNames() {
      let path = anchors + "/" + name
      var contents = try Data(contentsOf: URL(fileURLWithPath: path))
      guard contents.count > offset + 60 else { continue }
      contents[offset + 60] ^= 1
      try vault.writePrivately(contents, to: path)
    }
    try vault.openUnlocked().close()
    try vault.put(old)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  @Test("another vault at a known path is refused until it is accepted")
  func replacedVault() throws {
    let other = try TemporaryVault()
    let store = try other.create()
    try store.closeDrained()
    try vault.put(try other.copy())
    let opened = try vault.open()
    #expect(throws: VaultError(.vaultReplaced)) { try opened.unlock(with: other.credential) }
    try opened.acceptRestore(with: other.credential)
    try opened.unlock(with: other.credential)
    #expect(try opened.items().items.isEmpty)
  }

  @Test("M-5: a writer that dies between its commit and its anchor causes no alarm, 200 times")
  func diesBeforeAnchor() throws {
    for number in 0..<200 {
      let store = try vault.openUnlocked()
      let files = try anchorNames().map { anchors + "/" + $0 }
      let before = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      try store.set(SecretBytes("\(number)"), for: ItemIdentity(service: "service"))
      store.close()
      // What a process leaves that ended right after the commit.
      for (path, contents) in zip(files, before) { try vault.writePrivately(contents, to: path) }
      #expect(throws: Never.self) { try vault.openUnlocked().close() }
    }
  }

  @Test("M-5: a killed writer leaves a sound vault and causes no alarm")
  func killedWriter() async throws {
    var last = 0
    for _ in 0..<20 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [child = ChildVault(vault) as ChildVault] in
        let store = try child.openUnlocked()
        let committed = try committedNumber(in: store)
        let writing = Background {
          for number in (committed + 1)... {
            try store.set(SecretBytes("\(number)"), for: ItemIdentity(service: "number"))
          }
        }
        // At whatever it is doing then.
        usleep(.random(in: 1_000..<10_000))
        kill(getpid(), SIGKILL)
        _ = writing.result()
      }
      let number = try numberAfterCheck()
      #expect(number >= last)
      last = number
    }
    #expect(last > 0, "some commits came before the kill")
  }

  private func numberAfterCheck() throws -> Int {
    let store = try vault.openUnlocked()
    #expect(try store.administration(with: vault.credential).check().isSound)
    return try committedNumber(in: store)
  }
}

private func committedNumber(in store: SecretStore) throws -> Int {
  try store.secret(for: ItemIdentity(service: "number"))?.text.flatMap { Int($0) } ?? 0
}
