import SecretMemory
import Synchronization
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A vault: keychain items in one encrypted file, shared safely by threads and processes.
///
/// Open a store, unlock it with a credential, and read and write items:
///
/// ```swift
/// let store = try SecretStore.open(at: path)
/// try store.unlock(with: .keyFile(at: keyPath))
/// try store.set(token, for: ItemIdentity(service: "api.example.com", account: "alice"))
/// ```
///
/// Every call is safe from any thread. Those on items, `unlock` and `transaction` have `async` overloads that
/// do not block the cooperative pool. Writes are durable when they return. A store does not survive `fork`: the child's calls
/// answer `locked`.
public final class SecretStore: Sendable {
  /// The name of the access group that is used where none is named.
  package static let defaultGroupName = "default"
  /// How many bytes a secret has at most.
  package static let largestSecretByteCount = Limits.secretByteCount

  let location: VaultLocation
  let options: Options
  let provider: any LockStateProvider
  let database: any Database
  let access: DatabaseAccess
  let anchors: AnchorStore?
  let random: RandomSource

  let unlocked = ReadersWriterLock(UnlockedState())
  let sessions: SessionPool
  let writer: Mutex<Writer>
  /// How many locks are waiting for running calls to end.
  let pendingLocks = Atomic<Int>(0)
  let notices = Mutex<[Notice]>([])
  let drain: DrainSchedule
  let observer = ChangeObserver()
  let administrations = Mutex<[WeakAdministration]>([])
  private let process = ForkCount.current
  private let observation = Mutex<LockObservation?>(nil)

  init(
    location: VaultLocation,
    options: Options,
    provider: any LockStateProvider,
    random: RandomSource
  ) throws(VaultError) {
    do { try SelfTest.requirePassed() } catch { throw VaultError(translating: error) }
    if options.allowsUnlockedMemory { ProcessHardening.allowUnlockedMemory() }
    let identity = try location.check()
    self.location = location
    self.options = options
    self.provider = provider
    self.random = random
    access = try location.access(isReadOnly: options.isReadOnly)
    database = SQLiteDatabase(
      path: location.path,
      busyTimeout: Int32(clamping: options.busyTimeoutMilliseconds)
    )
    sessions = SessionPool(database, access: access, location: location)
    writer = Mutex(Writer(fileIdentity: identity))
    drain = DrainSchedule()
    anchors = try AnchorStore.ifUsable(options, rules: location.rules, random: random)
    if anchors == nil { notices.withLock { $0.append(.anchorUnavailable) } }
  }

  /// Follows the lock-state provider from now on.
  func follow() {
    let observation = LockObservation { [weak self] state in self?.follow(state) }
    self.observation.withLock { $0 = observation }
    provider.observe(observation)
    if provider.state != .unlocked { follow(provider.state) }
  }

  func follow(_ state: LockState) {
    switch state {
    case .beforeFirstUnlock: forgetAllKeys()
    case .locked: lock()
    case .unlocked:
      // A provider without a credential permits; keys come by unlock(with:).
      do {
        if let credential = try provider.credential() { try unlock(with: credential) }
      } catch {
        note(.notUnlocked)
      }
    }
  }

  /// Runs a call with a session, while no lock of the vault is taken.
  ///
  /// A call that nobody made does not count as use of the vault.
  func perform<Result>(
    isUse: Bool = true,
    _ body: (OpenGroups, Session) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    if isUse { try noteUse() } else { try requireOwnProcess() }
    var generation: UInt64 = 0
    do {
      return try unlocked.withRead { state throws(VaultError) in
        generation = state.generation
        guard state.phase != .beforeFirstUnlock else { throw VaultError(.locked) }
        return try sessions.withSession { session throws(VaultError) in
          session.use(generation: state.generation)
          return try body(state.open, session)
        }
      }
    } catch  where error.code == .keysRotated {
      // Unless another thread has unlocked with the new keys meanwhile.
      if unlocked.withRead({ $0.generation }) == generation {
        forgetAllKeys(telling: .keysRotated)
      }
      throw error
    }
  }

  /// Tells the lock-state provider of a use, which may lock at that; to be called without locks.
  func noteUse() throws(VaultError) {
    try requireOwnProcess()
    provider.noteActivity()
  }

  /// Whether this is a child made by `fork`: its memory has no keys, and what other threads had locked stays so for ever.
  var isForked: Bool { ForkCount.current != process }

  /// Throws in a child made by `fork`, which must use neither the keys nor the connections of its parent.
  func requireOwnProcess() throws(VaultError) {
    guard !isForked else {
      throw VaultError(.locked, "a store does not survive fork; run another program in the child")
    }
  }

  /// Throws when a lock is waiting, so that long calls end early.
  func requireNoPendingLock() throws(VaultError) {
    if pendingLocks.load(ordering: .relaxed) > 0 { throw VaultError(.locked) }
  }

  /// Opens the anchor of a scope; where the state folder cannot be used there is none, which is told.
  func anchor(_ vaultID: Identifier, scope: Identifier) throws(VaultError) -> Anchor? {
    do {
      return try anchors?.anchor(vaultID: vaultID, scope: scope)
    } catch  where error.code != .insecureFile && !options.requiresAnchor {
      note(.anchorUnavailable)
      return nil
    }
  }

  /// What happened that no call could report as an error, oldest first; each is told once.
  public func takeNotices() -> [Notice] {
    if isForked { return [] }
    return notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }

  func note(_ notice: Notice) {
    notices.withLock { if !$0.contains(notice) { $0.append(notice) } }
  }
}
