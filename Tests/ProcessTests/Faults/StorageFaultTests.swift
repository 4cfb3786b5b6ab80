import Foundation
import SecretVault
import TestSupport
import Testing

/// Storage that fails under SQLite at every operation in turn leaves the old state or the new one.
@Suite("Failing storage")
struct StorageFaultTests {
  @Test(
    "C-1: storage that fails once leaves the old state or the new, and the store of use",
    arguments: VaultChange.allCases
  )
  func failsOnce(change: VaultChange) throws { try interrupt(change, .once) }

  @Test(
    "C-1: storage that takes nothing more, as after a kill, leaves the old state or the new",
    arguments: VaultChange.allCases
  )
  func failsForGood(change: VaultChange) throws { try interrupt(change, .forGood) }

  @Test(
    "C-4: a disk that is full from any write on is told, and leaves the old state and the keys",
    arguments: VaultChange.allCases
  )
  func isFull(change: VaultChange) throws { try interrupt(change, .full) }

  /// Makes the change on fresh copies, each time with the next operation failing, until the change outlives it.
  private func interrupt(_ change: VaultChange, _ kind: StorageFault.Kind) throws {
    let vault = try FaultyVault()
    let old = try vault.copy("untouched").contents()
    var tally = (old: 0, new: 0)
    for number in 1...2000 {
      let trial = try vault.copy("trial-\(number)")
      let fault = StorageFault(kind, at: number)
      let prepared = try change.prepare(trial)
      var failure: VaultError?
      do {
        let watch = try StorageWatch(trial.folder) { fault.answer($0) }
        do {
          try prepared.run()
        } catch let error as VaultError {
          failure = error
        }
        if kind == .forGood { prepared.store.close() }
        withExtendedLifetime(watch) {}
      }
      if kind == .full, let failure { #expect(failure.code == .full, "at write \(number)") }
      // A rotation locks the store that it was made with.
      if kind != .forGood, failure != nil, prepared.store.lockState == .unlocked {
        #expect(throws: Never.self) { try prepared.store.items() }
      }
      prepared.store.close()
      let found = try trial.contents()
      try trial.remove()
      guard fault.hasStruck else {
        #expect(failure == nil)
        #expect(found != old)
        #expect(tally.old > 0, "nothing was interrupted")
        print("\(change) \(kind): \(tally.old) faults left the old state, \(tally.new) the new")
        return
      }
      if found == old { tally.old += 1 } else { tally.new += 1 }
      #expect(failure == nil ? found != old : true, "operation \(number) lost a change")
      try expect(found, isOf: change, or: old, in: vault, number)
    }
    Issue.record("the change does not end")
  }

  /// Whether a state is that before the change or that after it.
  private func expect(
    _ found: VaultState,
    isOf change: VaultChange,
    or old: VaultState,
    in vault: FaultyVault,
    _ number: Int
  ) throws {
    guard found != old else { return }
    #expect(found.isResult(of: change, on: old), "operation \(number) left a mixed state")
  }

  @Test(
    "C-1: a backup whose storage fails at any operation leaves nothing, and the vault as it was"
  )
  func backup() throws {
    let vault = try FaultyVault()
    for kind in StorageFault.Kind.allCases {
      let trial = try vault.copy("trial-\(kind)")
      let old = try trial.contents()
      let store = try trial.openUnlocked()
      let administration = try store.administration(with: trial.credential)
      let target = trial.folder + "/new.backup"
      var number = 1
      while true {
        let fault = StorageFault(kind, at: number)
        let watch = try StorageWatch(trial.folder) { fault.answer($0) }
        do {
          try administration.backup(to: target)
        } catch {
          #expect(kind != .full || error.code == .full)
        }
        withExtendedLifetime(watch) {}
        guard fault.hasStruck else { break }
        #expect(!FileManager.default.fileExists(atPath: target))
        let names = try FileManager.default.contentsOfDirectory(atPath: trial.folder)
        #expect(!names.contains { $0.hasPrefix("new.backup") }, "operation \(number) left \(names)")
        number += 1
      }
      #expect(number > 5)
      #expect(FileManager.default.fileExists(atPath: target))
      store.close()
      #expect(try trial.contents() == old)
    }
  }

  @Test("C-15: where a file system cannot share memory, the refusal says so and what to do")
  func sharedMemory() throws {
    let vault = try FaultyVault()
    let trial = try vault.copy("trial")
    var watch: StorageWatch? = try StorageWatch(trial.folder) { event in
      if case .map = event.operation { 10 | 21 << 8 } else { 0 }
    }
    let error = #expect(throws: VaultError(.inputOutput)) { try trial.openUnlocked() }
    #expect(error?.message.contains("move the vault to a local disk") == true)
    withExtendedLifetime(watch) {}
    watch = nil
    _ = try trial.contents()
  }
}
