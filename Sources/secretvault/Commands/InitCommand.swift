import Glibc
import SecretVault

/// `init`: makes a vault.
struct InitCommand: Command {
  static let declaration = CommandDeclaration(
    name: "init",
    summary: "make a vault with one access group",
    options: [
      OptionGroup(
        "what is to open it; else the terminal asks for a passphrase",
        [
          .newPassphraseDescriptor, .newPassphraseFile, .newKeyFile, .generateKeyFile, .either,
          .recoveryCodeFile, .passphraseDescriptor, .passphraseFile, .keyFile,
        ]
      ),
      OptionGroup("the group", [.group]),
      .vault,
    ],
    notes: [
      "A passphrase and a key file make one slot that needs both, with --either two slots. The plain"
        + " forms without \"new\" mean the same here, and so do their variables where no option is"
        + " given.",
      "A recovery code is shown once on the terminal, or written to --recovery-code-file; without"
        + " either none is made.",
    ]
  )

  private let location: VaultLocation
  private let credentials: NewCredentials
  private let either: Bool
  private let group: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    location = try VaultLocation(arguments)
    credentials = try NewCredentials(arguments, acceptsPlain: true)
    either = arguments.has(.either)
    group = arguments.value(of: .group) ?? "default"
    if either, !credentials.hasBothFactors {
      throw .usage("--either needs a passphrase and a key file; give both")
    }
  }

  func run(_ console: Console) throws {
    try refuseExistingPath()
    let code = try NewFiles.keptOnSuccess { files in try create(console, files) }
    // The vault is there, so a key file that was made stays, whatever becomes of the terminal.
    if let code, !credentials.wantsRecoveryCodeFile { try show(code, console) }
    if code == nil {
      console.note("no recovery code was made; give --recovery-code-file to have one")
    }
    if console.usesJSON {
      try console.output.write(line: .document([("vault", .string(location.path))]))
    }
  }

  /// Nobody should type a passphrase twice to learn this; the creation itself decides for certain.
  private func refuseExistingPath() throws(Failure) {
    var status = stat()
    if unsafe lstat(location.path, &status) == 0 {
      throw Failure(VaultError(.vaultExists)).prefixed(with: location.shownPath)
    }
  }

  /// Makes the vault, and returns its recovery code where there is a place for one.
  private func create(_ console: Console, _ files: NewFiles) throws -> SecretBytes? {
    var slots = try credentials.slots(either: either, console, files)
    var code: SecretBytes?
    if credentials.wantsRecoveryCodeFile || console.terminal != nil {
      let newCode = try credentials.recoveryCode(files)
      slots.append(.init(.recoveryCode(newCode), label: "recovery code"))
      code = newCode
    }
    try location.create(protectedBy: slots, group: group).close()
    return code
  }

  private func show(_ code: SecretBytes, _ console: Console) throws(Failure) {
    guard let terminal = console.terminal else { return }
    do throws(Failure) {
      try terminal.show("Recovery code, shown this once; write it down and keep it apart:\n")
      try terminal.show(code)
      try terminal.show("\n")
    } catch {
      throw error.prefixed(with: "the vault is made, but its recovery code was not shown")
    }
  }
}
