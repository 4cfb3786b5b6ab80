/// The exit codes of the tool; the numbers never change their meaning.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case other = 1
  case usage = 2
  case itemNotFound = 3
  case ambiguous = 4
  case alreadyExists = 5
  case locked = 6
  case passphraseNeeded = 7
  case credentialRejected = 8
  case vaultMissing = 9
  case damaged = 10
  case rolledBack = 11
  case busy = 12
  case insecure = 13
  case noSpace = 14
  case notAllowed = 15
  case tooNew = 16
  case limitExceeded = 17
  case cancelled = 18
  case expired = 19
  case conflict = 20
  case nothingStarted = 125
  case notExecutable = 126
  case programNotFound = 127

  /// What the code says, for the `exit-codes` command.
  var meaning: String {
    switch self {
    case .success: "done"
    case .other: "any other failure"
    case .usage: "the command line is wrong"
    case .itemNotFound: "no such item"
    case .ambiguous: "more than one answer; say which"
    case .alreadyExists: "the item or the vault exists already"
    case .locked: "the item is locked"
    case .passphraseNeeded: "a passphrase is needed and there is no terminal to ask on"
    case .credentialRejected: "wrong passphrase or key"
    case .vaultMissing: "there is no vault at the path"
    case .damaged: "damaged, tampered with, or not a vault"
    case .rolledBack: "rolled back, forked or replaced"
    case .busy: "another process holds the vault"
    case .insecure: "a file is open to others, not permitted or read-only"
    case .noSpace: "no space left on the device"
    case .notAllowed: "not on this device, not allowed by the accessibility, or to be written again"
    case .tooNew: "written by a newer version"
    case .limitExceeded: "a limit is exceeded, of size, passphrase cost or locked memory"
    case .cancelled: "cancelled at the terminal"
    case .expired: "the item has expired"
    case .conflict: "the item was changed meanwhile, or the keys were rotated"
    case .nothingStarted: "run: nothing was started, for a reason of our own"
    case .notExecutable: "run: the command cannot be executed"
    case .programNotFound: "run: there is no such command"
    }
  }
}
