import Foundation
import Glibc
import SecretVault
import Testing

/// A vault with many groups: 128, and with `SECRETVAULT_FULL_COUNT` set as many as the format takes, 1 024.
@Suite("Many groups", .timeLimit(.minutes(3)))
struct ManyGroupsTests {
  private static let isFull =
    ProcessInfo.processInfo.environment["SECRETVAULT_FULL_COUNT"] != nil
  private static let count = isFull ? 1_024 : 128

  @Test("a process that may open few files opens and uses more groups than that")
  func most() async throws {
    let vault = try TemporaryVault()
    try fill(vault)
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      var limit = rlimit(rlim_cur: 48, rlim_max: 48)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      try Self.use(child)
    }
    try expectItems(4, in: vault)
  }

  private func fill(_ vault: TemporaryVault) throws {
    let store = try vault.create()
    let administration = try store.administration(with: vault.credential)
    for number in 1..<Self.count { try administration.createGroup("group \(number)") }
    if Self.isFull {
      #expect(throws: VaultError(.limitExceeded)) { try administration.createGroup("one more") }
    }
    let last = ItemIdentity(service: "api.example.com", group: "group \(Self.count - 1)")
    try store.set(SecretBytes("token"), for: last)
    administration.end()
    try store.closeDrained()
  }

  private static func use(_ vault: ChildVault) throws {
    let store = try vault.openUnlocked()
    #expect(store.openedGroups.count == count)
    for number in [1, count / 2, count - 1] {
      let item = ItemIdentity(service: "new.example.com", group: "group \(number)")
      try store.set(SecretBytes("\(number)"), for: item)
      #expect(try store.secret(for: item)?.text == "\(number)")
    }
    store.lock()
    #expect(store.takeNotices().isEmpty)
    store.close()
  }

  private func expectItems(_ count: Int, in vault: TemporaryVault) throws {
    #expect(try vault.openUnlocked().items().items.count == count)
  }
}
