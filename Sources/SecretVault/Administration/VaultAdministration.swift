import Synchronization
import VaultCrypto
import VaultDatabase
import VaultFormat

/// The right to change what opens a vault, which a credential of the whole vault gives.
///
/// It holds the root key until ``end()``, a lock of the store, or its own end, whichever comes first.
public final class VaultAdministration: Sendable {
  /// What a lock takes away.
  ///
  /// `@unchecked Sendable` holds because the session is used only while the mutex around the rights is held.
  struct Rights: ~Copyable, @unchecked Sendable {
    var root: Key<Role.Root>
    let vaultID: Identifier
    /// The groups, opened for this alone, with a connection of their own.
    var open: OpenGroups
    var session: Session
    /// What opened this, for making slots that it opens too.
    var credential: Credential
  }

  let store: SecretStore
  private let rights: Mutex<Rights?>
  /// The slot that the credential opened, or the one that took its place here.
  private let currentSlot: Mutex<SlotRecord>
  /// The newest head that was verified, so that one swapped back under us is noticed.
  private let rootPosition: Mutex<VerifiedPosition>

  init(_ store: SecretStore, with credential: Credential) throws(VaultError) {
    let session = try store.sessions.makeSession()
    var opened = try VaultOpening(store: store, credential: credential, keepsRoot: true)
      .run(session)
    guard let root = opened.root.take() else { throw VaultError(.notPermitted) }
    self.store = store
    currentSlot = Mutex(opened.slot)
    rootPosition = Mutex(opened.contents.rootPosition)
    rights = Mutex(
      Rights(
        root: root,
        vaultID: opened.contents.head.vaultID,
        open: opened.open,
        session: session,
        credential: credential
      )
    )
  }

  /// Wipes the root key and everything else that was opened; later calls throw `locked`.
  public func end() {
    if store.isForked { return }
    rights.withLock { rights in
      guard let ended = rights.take() else { return }
      ended.session.forgetAll()
      ended.session.connection.close()
    }
  }

  var openedSlot: SlotRecord { currentSlot.withLock { $0 } }

  /// Notes that a slot that was made here takes the place of the one that was opened.
  func replaceOpenedSlot(with slot: SlotRecord) {
    currentSlot.withLock { $0 = slot }
  }

  /// Notes that another credential opens the slot that was opened.
  func replaceCredential(with credential: Credential) {
    rights.withLock { rights in
      guard var changed = rights.take() else { return }
      changed.credential = credential
      rights = .some(changed)
    }
  }

  /// Throws where a head that the root key made cannot have followed the one that was seen before.
  func require(_ position: VerifiedPosition) throws(VaultError) {
    try rootPosition.withLock { known throws(VaultError) in
      try position.requireSuccessor(of: known)
      known = position
    }
  }

  /// The epoch of the root key that is held.
  var rootEpoch: UInt64 { rootPosition.withLock { $0.position.epoch } }

  /// Notes the head that was committed here.
  func publish(_ position: VerifiedPosition) {
    rootPosition.withLock { $0 = position }
  }

  /// Adds a group that was made here to those that are open for this.
  func add(_ group: OpenGroup) {
    rights.withLock { rights in
      guard var changed = rights.take() else { return }
      changed.open.groups.append(group)
      rights = .some(changed)
    }
  }

  func withRights<Result>(
    _ body: (borrowing Rights) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try store.noteUse()
    do throws(VaultError) {
      return try rights.withLock { rights throws(VaultError) in
        switch rights {
        case .none: throw Self.ended
        case .some(let rights): return try body(rights)
        }
      }
    } catch  where error.code == .keysRotated {
      end()
      throw error
    }
  }

  /// Runs `body` and goes on with the keys that it gives in place of the former ones.
  func renewRights<Result>(
    _ body: (borrowing Rights) throws(VaultError) -> RenewedRights<Result>
  ) throws(VaultError) -> Result {
    try store.noteUse()
    do throws(VaultError) {
      return try rights.withLock { rights throws(VaultError) in
        guard var held = rights.take() else { throw Self.ended }
        let renewed: RenewedRights<Result>
        do throws(VaultError) {
          renewed = try body(held)
        } catch {
          rights = .some(held)
          throw error
        }
        held.session.forgetAll()
        held.root = renewed.root
        held.open = renewed.open
        held.session = renewed.session
        rights = .some(held)
        return renewed.result
      }
    } catch  where error.code == .keysRotated {
      end()
      throw error
    }
  }

  private static var ended: VaultError {
    VaultError(.locked, "the vault was locked meanwhile; give the credential again")
  }
}

/// Keeps no administration alive.
struct WeakAdministration: Sendable {
  private(set) weak var administration: VaultAdministration?

  init(_ administration: VaultAdministration) {
    self.administration = administration
  }
}

extension SecretStore {
  /// Asks for a credential again and gives the right to change slots.
  ///
  /// The store need not be unlocked.
  ///
  /// - Throws: ``VaultError``: `notPermitted` for a credential that opens one group only, and what
  ///   `unlock(with:)` throws.
  public func administration(with credential: Credential) throws(VaultError) -> VaultAdministration
  {
    try noteUse()
    let lockCount = lockCount
    let administration = try VaultAdministration(self, with: credential)
    administrations.withLock { known in
      known.removeAll { $0.administration == nil }
      known.append(WeakAdministration(administration))
    }
    // A lock that came while the keys were derived did not know of it.
    do throws(VaultError) {
      try unlocked.withRead { state throws(VaultError) in
        try requireNoLock(since: lockCount, state)
      }
    } catch {
      administration.end()
      throw error
    }
    return administration
  }

  func endAdministrations() {
    let known = administrations.withLock { known in
      defer { known = [] }
      return known
    }
    for weak in known { weak.administration?.end() }
  }
}
