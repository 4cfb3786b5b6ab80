/// What went wrong in a vault: a code, a line that names the remedy, and the cause where there is one.
///
/// Two errors are equal when their codes are. No text in it comes from an item, the name of one or a secret; a path may be in
/// the command that repairs a file.
public struct VaultError: Error, Sendable {
  /// What went wrong, to be compared against the constants.
  public let code: Code

  /// One line: what happened; what to do.
  public let message: String

  /// The error of a lower layer that led to this one.
  public let cause: (any Error & Sendable)?

  package init(_ code: Code, _ message: String? = nil, cause: (any Error & Sendable)? = nil) {
    self.code = code
    self.message = message ?? code.standardMessage
    self.cause = cause
  }
}

extension VaultError: Hashable {
  /// Whether both have the same code.
  public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }

  /// Feeds the code to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension VaultError: CustomStringConvertible {
  /// The code's name and the message.
  public var description: String { "\(code.name): \(message)" }
}

extension VaultError {
  /// A kind of failure; new kinds may be added, so a `switch` over them needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code, in lower camel case.
    public let name: String

    let standardMessage: String

    /// The code of a name that another process of this user sent.
    package init(_ name: String, _ standardMessage: String) {
      self.name = name
      self.standardMessage = standardMessage
    }

    /// Whether both have the same name.
    public static func == (left: Code, right: Code) -> Bool { left.name == right.name }

    /// Feeds the name to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
  }
}

extension VaultError.Code {
  /// There is no vault at the path.
  public static let vaultMissing = Self("vaultMissing", "there is no vault here; create one first")
  /// A vault, or another file, is at the path already.
  public static let vaultExists = Self(
    "vaultExists",
    "a file of that name exists; open it, or choose another path"
  )
  /// The file is no vault, or its schema was changed.
  public static let notAVault = Self(
    "notAVault",
    "the file is not a vault; check the path, or restore a backup"
  )
  /// The vault, or an item of it, was written by a newer version.
  public static let unsupportedVersion = Self(
    "unsupportedVersion",
    "a newer version wrote this; upgrade to read it"
  )
  /// The head of the vault is damaged; found before any key was derived.
  public static let corruptHeader = Self(
    "corruptHeader",
    "the head of the vault is damaged; restore a backup"
  )
  /// A slot asks for more work than is allowed.
  public static let kdfRefused = Self(
    "kdfRefused",
    "the passphrase cost in the file is outside the limits; name one slot or raise the limit"
  )
  /// No slot opened.
  public static let credentialRejected = Self(
    "credentialRejected",
    "the passphrase or key does not open this vault; try another"
  )
  /// Something failed authentication after a credential was accepted.
  public static let tampered = Self(
    "tampered",
    "the vault was changed by someone without its keys, or is damaged; restore a backup"
  )
  /// The file is older than the one that was last seen here.
  public static let rolledBack = Self(
    "rolledBack",
    "the vault is older than the one last seen here; accept it with check --accept-restore"
  )
  /// The file and the one that was last seen here have different histories.
  public static let forked = Self(
    "forked",
    "the vault and the one last seen here went separate ways; accept it with check --accept-restore"
  )
  /// Another vault stands at the path.
  public static let vaultReplaced = Self(
    "vaultReplaced",
    "another vault stands at this path; accept it with check --accept-restore"
  )
  /// The keys of this class are gone, or not there yet.
  public static let locked = Self("locked", "the item is locked; unlock the vault")
  /// Another process gave the vault new keys.
  public static let keysRotated = Self(
    "keysRotated",
    "the keys of the vault were changed; unlock it again"
  )
  /// The item that was to be changed is not there.
  public static let itemNotFound = Self("itemNotFound", "no such item; list the items")
  /// An item of that identity exists.
  public static let duplicateItem = Self(
    "duplicateItem",
    "the item exists; set it, or delete it first"
  )
  /// The item is bound to another device, or this device's key is missing.
  public static let notOnThisDevice = Self(
    "notOnThisDevice",
    "the item is bound to another device; use it there"
  )
  /// The accessibility class does not allow it.
  public static let accessibilityRefused = Self(
    "accessibilityRefused",
    "the accessibility class does not allow this; choose another class"
  )
  /// The credential does not open that group, or does not reach that far.
  public static let notPermitted = Self(
    "notPermitted",
    "the credential does not allow this; use one that opens the whole vault"
  )
  /// Several access groups are open and none of them is the default; one must be named.
  public static let ambiguousGroup = Self(
    "ambiguousGroup",
    "several access groups are open; name one"
  )
  /// The item was restored from a backup and must be written again first.
  public static let needsRevalidation = Self(
    "needsRevalidation",
    "the item comes from a restored backup; write it again to use it"
  )
  /// The item's expiry date has passed.
  public static let expired = Self(
    "expired",
    "the item has expired; write it again with a later expiry date"
  )
  /// The item is not of the version that was asked for, or a transaction could not finish.
  public static let conflict = Self("conflict", "the item was changed meanwhile; read it again")
  /// The owner, mode or kind of a file lets others in.
  public static let insecureFile = Self("insecureFile", "a file is open to others; repair its mode")
  /// A value or a count is beyond what a vault holds.
  public static let limitExceeded = Self(
    "limitExceeded",
    "that is more than a vault holds; store less"
  )
  /// The limit on locked memory leaves no room.
  public static let lockedMemoryExhausted = Self(
    "lockedMemoryExhausted",
    "no locked memory left; raise the limit (ulimit -l, LimitMEMLOCK=)"
  )
  /// The file or its file system cannot be written.
  public static let readOnly = Self(
    "readOnly",
    "the vault is read-only here; change its mode or place"
  )
  /// Another process held the vault for longer than the limit.
  public static let busy = Self("busy", "another process holds the vault; try again")
  /// The disk is full.
  public static let full = Self("full", "no space left on the device; free some and try again")
  /// The caller asked for something that makes no sense.
  public static let invalidArgument = Self(
    "invalidArgument",
    "the request is not valid; correct it"
  )
  /// The system refused an operation on a file.
  public static let inputOutput = Self(
    "inputOutput",
    "the system refused to read or write; check the disk and the permissions"
  )
  /// libcrypto lacks an algorithm or failed its self-test.
  public static let cryptographyUnavailable = Self(
    "cryptographyUnavailable",
    "libcrypto failed its self-test; check the OpenSSL installation"
  )
}
