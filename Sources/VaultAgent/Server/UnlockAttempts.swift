import Dispatch
import Glibc
import SecretVault
import Synchronization

/// Lets attempts to unlock come one after another, so that guessing is slow and memory bounded.
///
/// One attempt runs, two more may wait. After each rejected credential, of whatever connection and vault, the next
/// attempt waits 1, 2, 4 … 60 units; an accepted one ends that.
final class UnlockAttempts: Sendable {
  private static let queueLimit = 3
  private static let largestPause = 60

  private struct State {
    var present = 0
    var rejections = 0
    var notBefore = ContinuousClock.now
  }

  private let pauseUnit: Duration
  private let state = Mutex(State())
  private let turn = DispatchSemaphore(value: 1)

  init(pauseUnit: Duration) {
    self.pauseUnit = pauseUnit
  }

  /// Runs an attempt when its turn has come.
  ///
  /// - Throws: `VaultError`: `busy` where two others wait already, and what the attempt throws.
  func perform<Result>(_ attempt: () throws(VaultError) -> Result) throws(VaultError) -> Result {
    try enter()
    defer { state.withLock { $0.present -= 1 } }
    turn.wait()
    defer { turn.signal() }
    pause(until: state.withLock { $0.notBefore })
    do {
      let result = try attempt()
      state.withLock { $0.rejections = 0 }
      return result
    } catch  where error.code == .credentialRejected {
      noteRejection()
      throw error
    }
  }

  private func enter() throws(VaultError) {
    let isAdmitted = state.withLock { state in
      guard state.present < Self.queueLimit else { return false }
      state.present += 1
      return true
    }
    guard isAdmitted else {
      throw VaultError(.busy, "others are unlocking vaults; try again")
    }
  }

  private func noteRejection() {
    state.withLock { state in
      let units = min(1 << min(state.rejections, 6), Self.largestPause)
      state.rejections = min(state.rejections + 1, 6)
      state.notBefore = .now + pauseUnit * units
    }
  }

  private func pause(until moment: ContinuousClock.Instant) {
    while ContinuousClock.now < moment {
      _ = poll(nil, 0, Descriptor.milliseconds(until: moment))
    }
  }
}
