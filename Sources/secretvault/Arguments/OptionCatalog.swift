// Each name stands here once, so that it takes the same kind of value in every command.

extension Option {
  static let json = Option("--json", "write JSON, errors included")
  static let quiet = Option("--quiet", "leave out notes and warnings, never an error")
  static let help = Option("--help", "show the help of the command, as -h does")
  static let version = Option("--version", "show the version")

  static let vault = Option(
    "--vault",
    .required("PATH"),
    "the vault; else SECRETVAULT_PATH, else ~/.local/share/secretvault/default.vault"
  )
  static let state = Option(
    "--state",
    .required("DIR"),
    "what this machine remembers; else SECRETVAULT_STATE, else ~/.local/state/secretvault"
  )
  static let sharedWith = Option(
    "--shared-with",
    .required("UNIXGROUP"),
    "the Unix group that shares it, by name or number; else SECRETVAULT_SHARED_WITH"
  )
  static let allowForeignOwner = Option("--allow-foreign-owner", "open what another user owns")
  static let slot = Option("--slot", .required("ID"), "try this slot alone")
  static let kdfLimit = Option("--kdf-limit", .required("LOGN"), "the passphrase cost to accept")
  static let requireAnchor = Option("--require-anchor", "refuse a vault not seen here before")
  static let allowUnlockedMemory = Option(
    "--allow-unlocked-memory",
    "go on where memory cannot be locked, at the risk of swapped secrets"
  )

  static let keyFile = Option("--key-file", .required("FILE"), "a key file")
  static let passphraseDescriptor = Option(
    "--passphrase-fd",
    .required("N"),
    "an open descriptor to read the passphrase from"
  )
  static let passphraseFile = Option(
    "--passphrase-file",
    .required("FILE"),
    "a private file with the passphrase"
  )
  static let recoveryCodeDescriptor = Option(
    "--recovery-code-fd",
    .required("N"),
    "an open descriptor to read the recovery code from"
  )

  static let newPassphraseDescriptor = Option(
    "--new-passphrase-fd",
    .required("N"),
    "an open descriptor to read the new passphrase from"
  )
  static let newPassphraseFile = Option(
    "--new-passphrase-file",
    .required("FILE"),
    "a private file with the new passphrase"
  )
  static let newKeyFile = Option("--new-key-file", .required("FILE"), "a key file that exists")
  static let generateKeyFile = Option(
    "--generate-key-file",
    .required("FILE"),
    "a key file to be made"
  )
  static let recoveryCodeFile = Option(
    "--recovery-code-file",
    .required("FILE"),
    "make a recovery code and write it to a new file"
  )
  static let either = Option("--either", "the passphrase or the key file opens it, not only both")
}

extension Option {
  static let group = Option("--group", .required("NAME"), "the access group")
  static let synchronizable = Option("--synchronizable", "the synchronizable item of that name")
  static let service = Option("--service", .required("S"), "only this service")

  static let accessibility = Option(
    "--accessibility",
    .required("CLASS"),
    "when it can be used: whenUnlocked, afterFirstUnlock, either with ThisDeviceOnly,"
      + " or whenPasscodeSetThisDeviceOnly"
  )
  static let label = Option("--label", .required("TEXT"), "a label")
  static let comment = Option("--comment", .required("TEXT"), "a comment")
  static let expires = Option(
    "--expires",
    .required("WHEN"),
    "when to stop giving it out: 30d, 12h, 2027-01-31, 2027-01-31T10:00:00Z (UTC), or never"
  )
  static let history = Option(
    "--history",
    .required("N"),
    "how many earlier secrets to keep when it is written over, 0 to 255; 0 unless told"
  )
  static let revalidate = Option(
    "--revalidate",
    "after a restore give it out only once it was written again"
  )
  static let noRevalidate = Option("--no-revalidate", "give it out after a restore, too")
  static let ifVersion = Option("--if-version", .required("N"), "only if it has this version (20)")
  static let noClobber = Option("--no-clobber", "only if there is no such item (5)")

  static let generate = Option(
    "--generate",
    .optional("LENGTH"),
    "make it of letters and digits, 24 where no length is given"
  )
  static let file = Option("--file", .required("FILE"), "read it from a file")
  static let descriptor = Option("--fd", .required("N"), "read it from an open descriptor")
  static let stripNewline = Option("--strip-newline", "drop one newline at its end")

  static let allowExpired = Option("--allow-expired", "also a secret that has expired")
  static let expiring = Option(
    "--expiring",
    .required("WHEN"),
    "only what expires before 30d or 12h have passed, or before a date, and what has expired"
  )
  static let newline = Option("--newline", "end with a newline, also off a terminal")
  static let noNewline = Option("--no-newline", "end without a newline, also on a terminal")
  static let force = Option("--force", "write to a terminal what is no printable text")
  static let null = Option("--null", "end entries with a zero byte instead of a newline")
  static let reveal = Option("--reveal", "show the secret too")

  static let toService = Option("--to", .required("SERVICE"), "the new service")
  static let toAccount = Option("--to-account", .required("ACCOUNT"), "the new account")
  static let ignoreMissing = Option("--ignore-missing", "be content where there is no such item")
  static let keepKeyFile = Option(
    "--keep-key-file",
    .required("FILE"),
    "a key file whose slots stay; may be given more than once",
    repeats: true
  )
  static let removeOtherDevices = Option(
    "--remove-other-devices",
    "remove items that are bound to other devices, which alone could seal them anew"
  )
  static let acceptRestore = Option(
    "--accept-restore",
    "take the vault as it is from now on, after a restore or a swap"
  )
  static let manual = Option("--man", "write a page of the manual, for man(1)")
  static let words = Option("--words", .required("N"), "N words instead, each worth 16 bits")
}

extension Option {
  static let environment = Option(
    "--env",
    .required("NAME=REFERENCE"),
    "a variable and the secret that it gets; may be given more than once",
    repeats: true
  )
  static let environmentFile = Option("--env-file", .required("F"), "a file of variables")
  static let cleanEnvironment = Option(
    "--clean-env",
    "pass on only basic variables such as HOME and PATH"
  )
  static let input = Option("--in", .required("F"), "read it from a file")
  static let privateOutput = Option("--out", .required("F"), "write it to a file of mode 0600")
  static let standardOutput = Option("--stdout", "write it to standard output")
  static let format = Option("--format", .required("FORMAT"), "the form of the file")
  static let dryRun = Option("--dry-run", "tell what would be done, and change nothing")
  static let replace = Option("--replace", "take the file's secrets for items that have others")
}

extension Option {
  static let idle = Option(
    "--idle",
    .required("TIME"),
    "lock after so long without use: 90s, 15m, 12h, 2d, or 0 for never; 15m unless told"
  )
  static let lifetime = Option(
    "--lifetime",
    .required("TIME"),
    "forget all keys so long after the unlock, or 0 for never; 12h unless told"
  )
  static let foreground = Option("--foreground", "serve in this process until it is ended")
  static let readyDescriptor = Option(
    "--ready-fd",
    .required("N"),
    "an open descriptor that gets the byte 1 when the agent can be reached, else why not, and is closed"
  )
  static let printUnit = Option("--print-unit", "show systemd units that start the agent on demand")
}
