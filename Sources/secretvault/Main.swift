import Glibc
import SecretVault

/// The entry of the tool.
@main
struct Main {
  static func main() {
    CallerSettings.note()
    // First of all: a crash prints no memory, no core is written, and new files are private.
    ProcessHardening.apply()
    Descriptor.reserveStandardDescriptors()
    exit(run().rawValue)
  }

  /// Runs the command that the arguments name; everything that it opened is closed on return.
  private static func run() -> ExitCode {
    let words = ProcessArguments.words()
    // Even the refusal of a line that does not parse obeys --json.
    var console = Console(json: ParsedArguments.contains(.json, in: words), quiet: false)
    do {
      let arguments = try ParsedArguments(words, known: CommandTable.knownOptions)
      console = Console(json: arguments.has(.json), quiet: arguments.has(.quiet))
      // Some secrets are read before the library gets to see its options, and some by the agent's clients.
      if arguments.has(.allowUnlockedMemory) { ProcessHardening.allowUnlockedMemory() }
      try CommandTable.command(for: arguments).run(console)
      try console.output.flush()
      return .success
    } catch let told as ToldFailure {
      return told.exitCode
    } catch {
      let failure = Failure(error)
      return console.report(RunCommand.isMeant(by: words) ? failure.beforeStart : failure)
    }
  }
}
