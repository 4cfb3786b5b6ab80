/// Something worth telling a person that did not keep a call from doing its work.
public enum Notice: String, Hashable, Sendable {
  /// The vault was never seen on this machine, so nothing shows whether it was rolled back before.
  case firstSeen
  /// There is no state folder or it cannot be used, so a roll-back will not be noticed on this machine.
  case anchorUnavailable
  /// The change is durable, but could not be noted in the state folder; the next opening does it.
  case anchorNotWritten
  /// The lock-state provider went to unlocked, but its credential did not open the vault; unlock it with one to learn
  /// why.
  case notUnlocked
  /// The passphrase slot costs an attacker less than new slots do; change the passphrase to renew it.
  case weakSlot
  /// The earlier secrets of an item did not all fit into its history of 2 MiB, and the oldest were dropped.
  case overfullHistory
  /// The system cannot say when another process writes the vault, so it is looked at once a second for those who follow
  /// its changes.
  case changesPolled

  /// One line for a person.
  public var message: String {
    switch self {
    case .firstSeen: "first use of this vault on this machine; its age cannot be checked"
    case .anchorUnavailable:
      "the state folder cannot be used; a roll-back would go unnoticed, so name another folder"
    case .anchorNotWritten: "the state folder could not be written; the next opening will"
    case .notUnlocked: "the credential of the lock-state provider did not open the vault"
    case .weakSlot: "the passphrase slot is weaker than new ones; change the passphrase to renew it"
    case .changesPolled: "the vault's folder cannot be watched; changes show within a second"
    case .overfullHistory: "the item's history is full; its oldest secrets were dropped"
    }
  }
}

extension SecretStore {
  /// How a vault is opened.
  public struct Options: Sendable {
    /// The folder of anchors and device key; `nil` for `SECRETVAULT_STATE`, `STATE_DIRECTORY`,
    /// `XDG_STATE_HOME/secretvault` or `~/.local/state/secretvault`, the first that there is.
    public var stateDirectory: String?
    /// How long a call waits for another process, in milliseconds.
    public var busyTimeoutMilliseconds = 5000
    /// The most that all passphrase slots to be tried may cost together, as the logarithm of scrypt's N;
    /// `nil` for 20.
    public var kdfLimit: Int?
    /// Tries only the slot of this name, 32 hexadecimal digits.
    public var slot: String?
    /// Refuses a vault that was never seen on this machine.
    public var requiresAnchor = false
    /// Accepts files of another user; see the security guide before use.
    public var allowsForeignOwner = false
    /// The Unix group that shares the vault, or `nil` for a vault of one user.
    ///
    /// A vault is made for one or the other, and only opened as what it is.
    public var sharedWith: UnixGroup?
    /// Lets the process keep secrets in memory that could not be locked; counts for the whole process.
    public var allowsUnlockedMemory = false
    /// Never writes, even where it could.
    public var isReadOnly = false

    /// The standard way.
    public init() {}

    func stateFolder(rules: FileRules) -> StateFolder? {
      (stateDirectory ?? StateFolder.standardPath).map {
        StateFolder(path: $0, rules: rules.ofPrivateFiles)
      }
    }

    var rules: FileRules {
      FileRules(allowsForeignOwner: allowsForeignOwner, sharedWith: sharedWith)
    }
  }
}
