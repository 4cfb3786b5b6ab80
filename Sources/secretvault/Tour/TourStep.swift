/// One command of the tour, and what it must do.
struct TourStep {
  let arguments: [String]
  /// What standard input holds, if it is a pipe.
  var input: String?
  /// Whether the key file is named in the environment.
  var hasKey = true
  var exitCode = ExitCode.success
  /// What standard output must hold, where that is certain beforehand.
  var output: String?

  /// The steps, in their order; each builds on those before it.
  static let all: [TourStep] = [
    TourStep(
      arguments: [
        "init", "--passphrase-file", TourFolder.passphraseFile, "--generate-key-file",
        TourFolder.keyFile, "--either", "--recovery-code-file", TourFolder.recoveryCodeFile,
      ],
      hasKey: false
    ),
    TourStep(arguments: ["set", "api.example.com", "alice"], input: "tok"),
    TourStep(arguments: ["list"], output: "default\tapi.example.com\talice\n"),
    TourStep(arguments: ["get", "api.example.com", "alice"], output: "tok"),
    TourStep(
      arguments: [
        "get", "api.example.com", "alice", "--passphrase-file", TourFolder.wrongPassphraseFile,
      ],
      hasKey: false,
      exitCode: .credentialRejected,
      output: ""
    ),
    TourStep(
      arguments: ["get", "api.example.com", "bob"],
      exitCode: .itemNotFound,
      output: ""
    ),
    TourStep(
      arguments: ["get", "api.example.com", "alice"],
      hasKey: false,
      exitCode: .passphraseNeeded,
      output: ""
    ),
    TourStep(arguments: ["delete", "api.example.com", "alice"], output: ""),
    TourStep(arguments: ["list"], output: ""),
    TourStep(arguments: ["check"]),
  ]

  /// The command as a person would type it.
  var commandLine: String {
    let key = hasKey ? "SECRETVAULT_KEY_FILE=\(TourFolder.keyFile) " : ""
    let pipe = input.map { "printf \($0) | " } ?? ""
    return pipe + key + (["secretvault"] + arguments).joined(separator: " ")
  }

  /// The demand in words.
  var expectation: String {
    let demand = "exit \(exitCode.rawValue)"
    guard let output else { return demand }
    return demand
      + (output.isEmpty ? " and no output" : " and the output \(TextEscaping.quoted(output))")
  }

  /// Whether a run did what the step demands.
  func isHeld(by result: TourResult) -> Bool {
    result.exitCode == exitCode.rawValue
      && (output.map { Array($0.utf8) == result.output } ?? true)
  }
}

/// What a command of the tour did.
struct TourResult {
  /// The exit code, or 128 and the number of the signal that ended it.
  let exitCode: Int32
  let output: [UInt8]
  /// What went to standard error.
  let notes: [UInt8]
}
