import Foundation
import SecretVault
import TestSupport
import Testing

/// A rotation that is killed leaves all keys old or all new.
@Suite("Kills during a rotation")
struct RotationKillTests {
  private static let tracing = ConditionTrait.enabled(
    if: SystemCallTracer.isUsable,
    "strace is missing or may not trace"
  )

  /// A number from the environment, for longer series than the suite has time for.
  private static func number(_ name: String, else standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  private func makeVault(itemCount: Int) throws -> ProcessVault {
    let vault = try ProcessVault()
    try vault.withStore { store in
      try store.transaction { transaction in
        for number in 0..<itemCount {
          try transaction.set(
            SecretBytes("secret \(number)"),
            for: ItemIdentity(service: "service-\(number)")
          )
        }
      }
    }
    return vault
  }

  /// Checks the whole vault, and returns the epochs of root key and group.
  private func epochs(_ vault: ProcessVault, itemCount: Int) throws -> [String] {
    try vault.withStore { store in
      let report = try store.administration(with: vault.credential).check()
      #expect(report.isSound)
      #expect(report.verifiedCount == itemCount)
    }
    return try RawDatabase(vault.path).rows(
      "SELECT hex(substr(head.record, 25, 8)), hex(substr(grp.record, 17, 8)) FROM head, grp"
    )
  }

  @Test("C-1: a rotation killed before any of its writes leaves the old keys or the new", tracing)
  func everyWrite() throws {
    let vault = try makeVault(itemCount: 3)
    var current = try epochs(vault, itemCount: 3)
    try KillSeries.run(of: "rotation") { call in
      let outcome = try SystemCallTracer.kill(vault.tool("rotate"), before: call).run()
      let found = try epochs(vault, itemCount: 3)
      defer { current = found }
      if found == current { return (outcome, .old) }
      #expect(found == [next(current)])
      return (outcome, .new)
    }
  }

  @Test("C-2: rotations killed at random leave the old keys or the new, and no alarm")
  func randomKills() throws {
    let itemCount = Self.number("SECRETVAULT_ROTATED_ITEMS", else: 100)
    let killCount = Self.number("SECRETVAULT_ROTATION_KILLS", else: 15)
    let vault = try makeVault(itemCount: itemCount)
    let clock = ContinuousClock()
    let durations = try (1...3).map { _ in
      try clock.measure { try vault.tool("rotate").runToSuccess() }
    }
    let longest = UInt32((durations.min() ?? .zero) / .microseconds(1))
    var current = try epochs(vault, itemCount: itemCount)
    var tally = (old: 0, new: 0, finished: 0)
    for _ in 1...(10 * killCount) where tally.old + tally.new < killCount {
      let process = try ChildProcess(vault.tool("rotate"))
      usleep(UInt32.random(in: 0...longest))
      process.send(SIGKILL)
      let outcome = try process.finish()
      let found = try epochs(vault, itemCount: itemCount)
      #expect(found == current || found == [next(current)], "\(current) became \(found)")
      if outcome.signal != SIGKILL {
        tally.finished += 1
      } else if found == current {
        tally.old += 1
      } else {
        tally.new += 1
      }
      current = found
    }
    #expect(tally.old + tally.new == killCount)
    print(
      "kills of rotations of \(itemCount) items: \(tally.old) old, \(tally.new) new, 0 mixed, "
        + "\(tally.finished) finished"
    )
  }

  /// The epochs after one more rotation.
  private func next(_ epochs: [String]) -> String {
    let numbers = (epochs.first ?? "").split(separator: "|").map { UInt64($0, radix: 16) ?? 0 }
    return numbers.map { String(format: "%016llX", $0 + 1) }.joined(separator: "|")
  }
}
