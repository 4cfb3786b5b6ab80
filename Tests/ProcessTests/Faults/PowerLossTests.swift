import Foundation
import SecretVault
import Synchronization
import TestSupport
import Testing

/// A loss of power at any moment loses no commit that was reported, and raises no alarm.
@Suite("Power loss")
struct PowerLossTests {
  /// How much of what was not synchronised reaches the disk.
  enum Survival: CaseIterable { case nothing, everything, someSectors }

  @Test(
    "C-3: no commit that was reported is lost, and no anchor is ahead",
    arguments: Survival.allCases
  )
  func commits(survival: Survival) throws {
    let vault = try FaultyVault()
    let origin = try vault.copy("running")
    let moments = try record(origin) { store, loss in
      for number in 1...4 {
        try store.set(SecretBytes("\(number)"), for: Trial.item)
        loss.advance()
        if number.isMultiple(of: 2) { try store.emptyLog() }
      }
      store.lock()
    }
    #expect(moments.count > 40)
    var generator = SystemRandomNumberGenerator()
    for (index, moment) in moments.enumerated() {
      let trial = try vault.copy("trial-\(index)")
      try moment.restore(to: trial, from: origin) {
        switch survival {
        case .nothing: false
        case .everything: true
        case .someSectors: Bool.random(using: &generator)
        }
      }
      let found = try secret(trial)
      let number = found == "old" ? 0 : Int(found ?? "") ?? -1
      // What was being committed may be there or not.
      #expect(number == moment.progress || number == moment.progress + 1, "moment \(index)")
      try trial.remove()
    }
  }

  @Test("C-3: a rotation, and a restore, that lose power leave the old state or the new")
  func wholeChanges() throws {
    for change in [VaultChange.rotation, .restore] {
      let vault = try FaultyVault()
      let origin = try vault.copy("running-\(change)")
      let old = try origin.contents()
      let moments = try record(origin, change) { loss in loss.advance() }
      for (index, moment) in moments.enumerated() {
        let trial = try vault.copy("trial-\(index)")
        try moment.restore(to: trial, from: origin) { Bool.random() }
        let found = try trial.contents()
        #expect(found == old && moment.progress == 0 || found.isResult(of: change, on: old))
        try trial.remove()
      }
    }
  }

  @Test(
    "C-3: a commit that its killed writer left unsynchronised is made durable before an anchor counts on it"
  )
  func unsynchronisedCommit() throws {
    let vault = try FaultyVault()
    let origin = try vault.copy("origin-of-kill")
    let loss = try PowerLoss(of: origin)
    let isKilled = Atomic(false)
    var watch: StorageWatch? = try StorageWatch(origin.folder) { event in
      guard isKilled.load(ordering: .relaxed), case .synchronize = event.operation
      else { return loss.note(event) }
      return 10 | 4 << 8
    }
    let store = try origin.openUnlocked()
    try store.set(SecretBytes("0"), for: Trial.item)
    isKilled.store(true, ordering: .relaxed)
    #expect(throws: VaultError(.inputOutput)) {
      try store.set(SecretBytes("1"), for: Trial.item)
    }
    let killed = loss.present
    watch = nil

    // The next opener finds the commit in the system's memory, and takes it for what it is: complete.
    let reopened = try vault.copy("reopened")
    try killed.restore(to: reopened, from: origin) { true }
    let second = PowerLoss(of: reopened, after: killed, of: origin)
    watch = try StorageWatch(reopened.folder) { second.note($0) }
    let reader = try reopened.openUnlocked()
    #expect(try reader.secret(for: Trial.item)?.copiedAsString() == "1")
    let end = second.present
    withExtendedLifetime(watch) {}
    reader.close()
    store.close()

    let afterLoss = try vault.copy("after-loss")
    try end.restore(to: afterLoss, from: reopened) { false }
    #expect(try secret(afterLoss) == "1")
  }

  private func record(
    _ trial: Trial,
    _ body: (SecretStore, PowerLoss) throws -> Void
  ) throws -> [PowerLoss.Moment] {
    let loss = try PowerLoss(of: trial)
    let store = try trial.openUnlocked()
    let watch = try StorageWatch(trial.folder) { loss.note($0) }
    try body(store, loss)
    withExtendedLifetime(watch) {}
    store.close()
    return loss.moments
  }

  private func record(
    _ trial: Trial,
    _ change: VaultChange,
    _ finish: (PowerLoss) -> Void
  ) throws -> [PowerLoss.Moment] {
    let loss = try PowerLoss(of: trial)
    let prepared = try change.prepare(trial)
    let watch = try StorageWatch(trial.folder) { loss.note($0) }
    try prepared.run()
    finish(loss)
    withExtendedLifetime(watch) {}
    prepared.store.close()
    return loss.moments
  }

  /// What the item holds in a sound vault that is opened without an alarm.
  private func secret(_ trial: Trial) throws -> String? {
    let store = try trial.openUnlocked()
    defer { store.close() }
    #expect(store.takeNotices() == [])
    #expect(try store.administration(with: trial.credential).check().isSound)
    return try store.secret(for: Trial.item)?.copiedAsString()
  }
}
