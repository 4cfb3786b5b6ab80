import Glibc
import SecretVault
import VaultAgent

/// `agent`: holds the keys of the user's vaults for all processes of the user.
struct AgentCommand: Command {
  static let declaration = CommandDeclaration(
    name: "agent",
    summary: "hold the keys of unlocked vaults for the other commands and for programs",
    options: [
      OptionGroup("for how long, unless unlock says otherwise", [.idle, .lifetime]),
      OptionGroup(
        "how it runs",
        [.foreground, .readyDescriptor, .printUnit, .allowUnlockedMemory]
      ),
    ],
    notes: [
      "There is one agent a user; where one runs already this is 5. unlock starts it by itself.",
      "SIGHUP and SIGUSR1 lock all vaults; SIGTERM wipes all keys and ends the agent.",
    ]
  )

  private let limits: AgentLimits
  private let runsInForeground: Bool
  private let printsUnits: Bool
  private let allowsUnlockedMemory: Bool
  private let readyDescriptor: Descriptor?

  init(_ arguments: ParsedArguments) throws(Failure) {
    limits = try AgentLimits(arguments)
    runsInForeground = arguments.has(.foreground)
    printsUnits = arguments.has(.printUnit)
    allowsUnlockedMemory = arguments.has(.allowUnlockedMemory)
    let numbers = UInt64(AgentProcess.readyDescriptor)...UInt64(Int32.max)
    readyDescriptor = try arguments.number(of: .readyDescriptor, in: numbers)
      .map { Descriptor(number: Int32($0)) }
    if let readyDescriptor, fcntl(readyDescriptor.number, F_SETFD, FD_CLOEXEC) < 0 {
      throw .usage("--ready-fd names a descriptor that is not open; open it first")
    }
  }

  func run(_ console: Console) throws {
    if printsUnits {
      let text = try AgentUnits.ofThisExecutable(options: options).text
      return try console.output.write(text)
    }
    guard runsInForeground else { return try AgentProcess.start(options: options) }
    do throws(VaultError) {
      // Where it was started from must stay removable.
      _ = unsafe chdir("/")
      try AgentServer.run(configuration)
    } catch {
      let failure = Failure(error)
      try? readyDescriptor?.write(Array(failure.message.utf8).span, name: "to --ready-fd")
      throw failure
    }
  }

  private var configuration: AgentServer.Configuration {
    var configuration = AgentServer.Configuration(readyDescriptor: readyDescriptor?.number)
    if let seconds = limits.idleSeconds {
      configuration.idle = seconds == 0 ? nil : .seconds(Int64(seconds))
    }
    if let seconds = limits.lifetimeSeconds {
      configuration.lifetime = seconds == 0 ? nil : .seconds(Int64(seconds))
    }
    return configuration
  }

  /// The options as words for another agent.
  private var options: [String] {
    [(Option.idle, limits.idleSeconds), (Option.lifetime, limits.lifetimeSeconds)]
      .compactMap { option, seconds in seconds.map { "\(option.name)=\($0)s" } }
      + (allowsUnlockedMemory ? [Option.allowUnlockedMemory.name] : [])
  }
}

extension AgentLimits {
  /// Takes the options `--idle` and `--lifetime`.
  ///
  /// - Throws: A usage failure for what is no length of time.
  init(_ arguments: ParsedArguments) throws(Failure) {
    self.init(
      idleSeconds: try Self.seconds(.idle, arguments),
      lifetimeSeconds: try Self.seconds(.lifetime, arguments)
    )
  }

  private static func seconds(
    _ option: Option,
    _ arguments: ParsedArguments
  ) throws(Failure) -> UInt32? {
    guard let text = arguments.value(of: option) else { return nil }
    return UInt32(clamping: try DurationText.seconds(text, for: option))
  }

  /// Whether any is given.
  var isEmpty: Bool { idleSeconds == nil && lifetimeSeconds == nil }
}
