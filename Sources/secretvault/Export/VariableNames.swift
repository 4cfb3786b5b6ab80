import SecretVault

/// Which names a format takes.
///
/// One illegal name refuses the whole export: a name that slipped through could run as a command.
struct VariableNames {
  private let format: VariableFormat

  init(_ format: VariableFormat) { self.format = format }

  /// Checks the accounts of all items, and the service where it becomes a name too.
  ///
  /// - Throws: A failure: there are no items; a usage failure for an illegal name; ambiguous where two items
  ///   have one name.
  func check(_ items: [SecretItem], service: String) throws(Failure) {
    if items.isEmpty { throw .itemNotFound }
    var names: Set<[UInt8]> = []
    for item in items {
      let name = item.identity.account.bytes
      guard isLegal(name) else {
        throw .usage(
          "an account is no legal name for the format \(format.rawValue), so nothing was exported;"
            + " rename it, or use json"
        )
      }
      guard names.insert(name).inserted else {
        throw Failure(
          .ambiguous,
          name: "ambiguousName",
          "two items have one account; say which group with --group, or rename one"
        )
      }
    }
    if format == .k8s, !Self.isObjectName(Array(service.utf8)) {
      throw .usage(
        "the service is no name that Kubernetes takes; it has small letters, digits, hyphens and dots"
      )
    }
  }

  private func isLegal(_ name: [UInt8]) -> Bool {
    switch format {
    case .k8s: Self.isDataKey(name)
    case .env: Variable.isLegal(name)
    case .shell: Variable.isLegal(name) && !Self.evaluatedNames.contains(name)
    }
  }

  /// The variables whose values a shell evaluates, commands in them included, however well they are quoted: the
  /// numbers of bash(1) and zshparam(1), and the prompts, messages about mail and start-up files of both.
  private static let evaluatedNames = Set(
    """
    ARGC BASH_ENV BAUD COLUMNS CURSOR DIRSTACKSIZE EGID ENV EPOCHSECONDS ERRNO EUID FUNCNEST GID HISTCMD HISTNO
    HISTSIZE KEYTIMEOUT LINENO LINES LISTMAX LOGCHECK MAILCHECK MAILPATH NUMERIC OPTIND PENDING PERIOD PPID PROMPT
    PROMPT2 PROMPT3 PROMPT4 PROMPT_COMMAND PROMPT_EOL_MARK PS0 PS1 PS2 PS3 PS4 RANDOM REPORTTIME RPROMPT
    RPROMPT2 RPS1 RPS2 SAVEHIST SECONDS SHLVL SPROMPT SRANDOM TMOUT TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTYIDLE UID
    ZSH_SUBSHELL prompt status
    """.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
  )

  /// A key of a Secret's data: up to 253 letters, digits, hyphens, underscores and dots.
  private static func isDataKey(_ name: [UInt8]) -> Bool {
    let isFolder = name == Array(".".utf8) || name.starts(with: Array("..".utf8))
    return (1...253).contains(name.count) && !isFolder
      && name.allSatisfy { byte in
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        return isCapital || isSmallLetterOrDigit(byte) || "-_.".utf8.contains(byte)
      }
  }

  /// A name of an object: a DNS subdomain of up to 253 characters (RFC 1123).
  private static func isObjectName(_ name: [UInt8]) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return name.count <= 253
      && parts.allSatisfy { part in
        part.first != UInt8(ascii: "-") && part.last != UInt8(ascii: "-") && !part.isEmpty
          && part.allSatisfy { isSmallLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isSmallLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
