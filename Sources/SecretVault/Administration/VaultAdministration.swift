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
    let root: Key<Role.Root>
    let vaultID: Identifier
    /// The groups, opened for this alone, with a connection of their own.
    let open: OpenGroups
    let session: Session
  }

  let store: SecretStore
  /// The slot that the credential opened.
  let openedSlot: SlotRecord
  /// What was given, for making a slot that keeps its other factor.
  let credential: Credential
  private let rights: Mutex<Rights?>

  init(_ store: SecretStore, with credential: Credential) throws(VaultError) {
    let session: Session
    do {
      session = try Session(store.database.connect(store.access), cache: PageCache())
    } catch {
      throw VaultError(translating: error)
    }
    var opened = try VaultOpening(store: store, credential: credential, keepsRoot: true)
      .run(session)
    guard let root = opened.root.take() else { throw VaultError(.notPermitted) }
    self.store = store
    self.credential = credential
    openedSlot = opened.slot
    let vaultID = opened.contents.head.vaultID
    rights = Mutex(Rights(root: root, vaultID: vaultID, open: opened.open, session: session))
  }

  /// Wipes the root key and everything else that was opened; later calls throw `locked`.
  public func end() {
    rights.withLock { rights in
      guard let ended = rights.take() else { return }
      ended.session.forgetAll()
      ended.session.connection.close()
    }
  }

  func withRights<Result>(
    _ body: (borrowing Rights) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try store.requireOwnProcess()
    return try rights.withLock { rights throws(VaultError) in
      switch rights {
      case .none:
        throw VaultError(.locked, "the vault was locked meanwhile; give the credential again")
      case .some(let rights): return try body(rights)
      }
    }
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
  ///   ``unlock(with:)`` throws.
  public func administration(with credential: Credential) throws(VaultError) -> VaultAdministration
  {
    try requireOwnProcess()
    let administration = try VaultAdministration(self, with: credential)
    administrations.withLock { known in
      known.removeAll { $0.administration == nil }
      known.append(WeakAdministration(administration))
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
