import SecretVault
import Synchronization
import Testing

/// An idle lock by a clock that the test moves, as one moves on while the machine is suspended and no timer runs.
@Suite("Idle locks after a pause of the machine")
struct IdleClockTests {
  private let vault: TemporaryVault
  private let clock = MovedClock()
  private let provider: IdleLockState
  private let item = ItemIdentity.of(.whenUnlocked)

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed { store in try store.set(SecretBytes("token"), for: .of(.whenUnlocked)) }
    provider = IdleLockState(after: .seconds(900)) { [clock] in clock.now }
  }

  @Test("a use after the limit finds the vault locked, though no timer went off")
  func lateUse() throws {
    let store = try vault.openUnlocked(lockState: provider)
    clock.advance(by: .seconds(800))
    #expect(try store.secret(for: item)?.text == "token")
    clock.advance(by: .seconds(800))
    #expect(try store.secret(for: item)?.text == "token")
    clock.advance(by: .seconds(8 * 3600))
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    #expect(provider.state == .locked && store.lockState == .locked)
    provider.unlock()
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: item)?.text == "token")
  }

  @Test("an unlock and the work of an administration are uses")
  func otherUses() throws {
    let store = try vault.open(lockState: provider)
    clock.advance(by: .seconds(800))
    try store.unlock(with: vault.credential)
    clock.advance(by: .seconds(800))
    let administration = try store.administration(with: vault.credential)
    clock.advance(by: .seconds(800))
    _ = try administration.slots()
    clock.advance(by: .seconds(800))
    #expect(try store.secret(for: item)?.text == "token")
    clock.advance(by: .seconds(900))
    #expect(throws: VaultError(.locked)) { try administration.slots() }
  }
}

/// A clock that stands still until it is moved.
private final class MovedClock: Sendable {
  private let moment = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { moment.withLock { $0 } }

  func advance(by duration: Duration) {
    moment.withLock { $0 += duration }
  }
}
