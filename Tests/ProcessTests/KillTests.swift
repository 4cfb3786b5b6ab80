import Glibc
import SecretVault
import TestSupport
import Testing

/// A program that is killed leaves the old state or the new one, and the next opening raises no alarm.
@Suite("Kills")
struct KillTests {
  private static let tracing = ConditionTrait.enabled(
    if: SystemCallTracer.isUsable,
    "strace is missing or may not trace"
  )
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  @Test("C-1: a set killed before any of its writes leaves the old secret or the new", tracing)
  func set() throws {
    let vault = try ProcessVault()
    var current: String? = "0"
    try vault.withStore { store in try store.set(SecretBytes("0"), for: item) }
    try KillSeries.run(of: "set") { call in
      let request = vault.tool("set", "api.example.com", "alice", input: .text("\(call)"))
      let outcome = try SystemCallTracer.kill(request, before: call).run()
      let found = try secret(vault)
      #expect(found == current || found == "\(call)")
      current = found
      return (outcome, found == "\(call)" ? .new : .old)
    }
  }

  @Test("C-1: a delete killed before any of its writes leaves the item or nothing of it", tracing)
  func delete() throws {
    let vault = try ProcessVault()
    try KillSeries.run(of: "delete") { call in
      try vault.withStore { store in try store.set(SecretBytes("token"), for: item) }
      let request = vault.tool("delete", "api.example.com", "alice")
      let outcome = try SystemCallTracer.kill(request, before: call).run()
      let found = try secret(vault)
      #expect(found == "token" || found == nil)
      return (outcome, found == nil ? .new : .old)
    }
  }

  // The tool always takes a cost of a quarter of a second, so the worker changes the passphrase, through
  // the same library, at the least cost there is.
  @Test(
    "C-1: a passphrase change killed before any write leaves one passphrase, old or new",
    tracing
  )
  func passphraseChange() throws {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes("passphrase 0")))
    slot.log2N = 15
    let vault = try ProcessVault(alsoProtectedBy: [slot])
    var old = try vault.folder.write("passphrase 0", to: "even")
    var new = try vault.folder.write("passphrase 1", to: "odd")
    try vault.withStore { store in try store.set(SecretBytes("token"), for: item) }
    try KillSeries.run(of: "passphrase change") { call in
      let request = vault.worker("change-passphrase", old, new)
      let outcome = try SystemCallTracer.kill(request, before: call).run()
      #expect(try secret(vault) == "token")
      let isNew = try vault.isOpened(byPassphraseIn: new)
      #expect(try vault.isOpened(byPassphraseIn: old) == !isNew)
      if isNew { (old, new) = (new, old) }
      return (outcome, isNew ? .new : .old)
    }
  }

  @Test("C-1: an init killed before any of its writes leaves no vault or a whole one", tracing)
  func creation() throws {
    try KillSeries.run(of: "init") { call in
      let vault = try ProcessVault(empty: ())
      let outcome = try SystemCallTracer.kill(vault.tool("init"), before: call).run()
      let next = try vault.tool("init").run()
      #expect(next.exitCode == 0 || next.exitCode == 5)
      #expect(try secret(vault) == nil)
      let names = try vault.folder.names(in: "home")
      #expect(!names.contains { $0.hasPrefix("test.vault.unfinished") })
      return (outcome, next.exitCode == 5 ? .new : .old)
    }
  }

  @Test("C-1: 200 sets killed at random leave the old secret or the new, and a sound vault")
  func randomKills() throws {
    let vault = try ProcessVault()
    let clock = ContinuousClock()
    let durations = try (1...5).map { _ in
      try clock.measure {
        try vault.tool("set", "api.example.com", "alice", input: .text("0")).runToSuccess()
      }
    }
    let longest = UInt32((durations.min() ?? .zero) / .microseconds(1))
    var current: String? = "0"
    var tally = (old: 0, new: 0, finished: 0)
    for number in 1...2000 where tally.old + tally.new < 200 {
      let process = try ChildProcess(
        vault.tool("set", "api.example.com", "alice", input: .text("\(number)"))
      )
      usleep(UInt32.random(in: 0...longest))
      process.send(SIGKILL)
      let outcome = try process.finish()
      let found = try secret(vault)
      #expect(found == "\(number)" || outcome.signal == SIGKILL && found == current)
      if outcome.signal != SIGKILL {
        tally.finished += 1
      } else if found == current {
        tally.old += 1
      } else {
        tally.new += 1
      }
      current = found
    }
    #expect(tally.old + tally.new == 200)
    print("random kills of set: \(tally.old) old, \(tally.new) new, \(tally.finished) finished")
  }

  /// Checks the whole vault, and returns what the item holds.
  private func secret(_ vault: ProcessVault) throws -> String? {
    try vault.withStore { store in
      let report = try store.administration(with: vault.credential).check()
      #expect(report.isSound)
      return try store.secret(for: item)?.copiedAsString()
    }
  }
}
