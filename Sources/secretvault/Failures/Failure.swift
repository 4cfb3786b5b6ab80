import Glibc

/// Why a command did not do what it was asked: the one form in which errors reach the user.
struct Failure: Error, Sendable {
  let exitCode: ExitCode
  /// A stable name, in lower camel case, for `--json`.
  let name: String
  /// One line that says what happened and what to do, and repeats nothing but what was typed.
  let message: String

  init(_ exitCode: ExitCode, name: String, _ message: String) {
    self.exitCode = exitCode
    self.name = name
    self.message = message
  }
}

extension Failure {
  /// The command line is wrong.
  static func usage(_ message: String) -> Failure { Failure(.usage, name: "usage", message) }

  /// A passphrase was to be typed, and there is nobody to type it.
  static let passphraseNeeded = Failure(
    .passphraseNeeded,
    name: "passphraseNeeded",
    "a passphrase or key is needed and there is no terminal; give --passphrase-file, --passphrase-fd"
      + " or --key-file"
  )

  /// A new passphrase was to be typed, and there is nobody to type it; `options` are those that take its place.
  static func newPassphraseNeeded(_ options: [Option]) -> Failure {
    Failure(
      .passphraseNeeded,
      name: "passphraseNeeded",
      "there is no terminal to ask for a new passphrase; give one of "
        + options.map(\.name).joined(separator: ", ")
    )
  }

  /// The user ended a question at the terminal.
  static let cancelled = Failure(.cancelled, name: "cancelled", "cancelled; nothing was changed")

  /// The item is not there.
  static let itemNotFound = Failure(
    .itemNotFound,
    name: "itemNotFound",
    "no such item; secretvault list shows what there is"
  )

  /// The item has another version than the one that was asked for.
  static let conflict = Failure(
    .conflict,
    name: "conflict",
    "the item has another version; look at it again with secretvault show"
  )

  /// A secret, or what was read in its place, is too long.
  static let limitExceeded = Failure(
    .limitExceeded,
    name: "limitExceeded",
    "that is more than can be taken; nothing was changed, give less"
  )

  /// The system refused something: `number` is the `errno` of the call, and `action` says what was
  /// tried, such as `cannot read FILE`.
  static func system(_ number: Int32, _ action: String) -> Failure {
    let reason = unsafe String(cString: strerror(number))
    switch number {
    case ENOSPC, EDQUOT:
      return Failure(.noSpace, name: "full", "\(action): \(reason); free some space and try again")
    case EACCES, EPERM, EROFS, ELOOP:
      return Failure(.insecure, name: "notPermitted", "\(action): \(reason); check owner and mode")
    case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG:
      return Failure(.other, name: "inputOutput", "\(action): \(reason); check the path")
    case EEXIST:
      return Failure(
        .alreadyExists,
        name: "fileExists",
        "\(action): \(reason); choose another path"
      )
    default:
      return Failure(.other, name: "inputOutput", "\(action): \(reason); check it and try again")
    }
  }

  /// Another failure with something put before its message.
  func prefixed(with subject: String) -> Failure {
    Failure(exitCode, name: name, "\(subject): \(message)")
  }
}
