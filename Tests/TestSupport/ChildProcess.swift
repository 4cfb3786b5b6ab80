public import Glibc

/// A program that a test runs, with exactly the arguments, variables and descriptors that it is given.
///
/// It runs in a session of its own, so that it has no terminal unless it is given one.
public final class ChildProcess {
  /// What a standard descriptor is connected to.
  public enum Stream: Sendable {
    /// A pipe: with these bytes for an input, collected for an output.
    case bytes([UInt8])
    /// A pipe that stays open and empty until the process ends.
    case silent
    /// A file, made where an output has none.
    case file(String)
    /// The terminal that controls the process.
    case terminal
    /// Nothing at all.
    case closed

    /// An empty input, or an output that is collected.
    public static let pipe = Stream.bytes([])
    /// A pipe with the bytes of a text.
    public static func text(_ text: String) -> Stream { .bytes(Array(text.utf8)) }
  }

  /// What to run.
  public struct Request: Sendable {
    /// The path of the program.
    public var executable: String
    /// The words after the program's name, as bytes without zeros.
    public var arguments: [[UInt8]]
    /// The whole environment.
    public var environment: [String: String]
    /// Standard input.
    public var input = Stream.pipe
    /// Standard output.
    public var output = Stream.pipe
    /// Standard error.
    public var errors = Stream.pipe
    /// Further inputs by their descriptors' numbers.
    public var descriptors: [Int32: [UInt8]] = [:]
    /// What the child shares with the test: the test's descriptors by the numbers that the child knows them by.
    public var sharedDescriptors: [Int32: Int32] = [:]
    /// The terminal that controls the process.
    public var terminal: PseudoTerminal?

    /// Describes a run with empty input and collected output.
    public init(executable: String, arguments: [[UInt8]], environment: [String: String]) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
    }
  }

  /// How a run ended.
  public struct Outcome: Sendable {
    /// The exit code, or `nil` after a signal.
    public let exitCode: Int32?
    /// The signal that ended it, if one did.
    public let signal: Int32?
    /// What it wrote to a piped standard output.
    public let output: [UInt8]
    /// What it wrote to a piped standard error.
    public let errors: [UInt8]

    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The errors as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// The number of the process.
  public let identifier: pid_t
  private var pump: Pump

  /// Starts a program.
  public init(_ request: Request) throws {
    var wiring = try Wiring(request)
    defer { wiring.closeChildEnds() }
    identifier = try wiring.spawn(request)
    pump = wiring.pump
    pump.start()
  }

  /// Feeds and drains the pipes until the process ends.
  ///
  /// - Throws: ``DeadlineExceeded``; the process is then killed.
  public func finish(within limit: Duration = .seconds(60)) throws -> Outcome {
    let deadline = ContinuousClock.now + limit
    while pump.isBusy {
      guard try pump.turn(until: deadline) else { throw abandon() }
    }
    // The last pipe ended with the process, so this does not wait.
    var status: Int32 = 0
    guard unsafe waitpid(identifier, &status, 0) == identifier else {
      throw SystemFailure("waitpid")
    }
    let signal = status & 0x7F
    return Outcome(
      exitCode: signal == 0 ? status >> 8 & 0xFF : nil,
      signal: signal == 0 ? nil : signal,
      output: pump.collected[STDOUT_FILENO] ?? [],
      errors: pump.collected[STDERR_FILENO] ?? []
    )
  }

  /// Sends a signal.
  public func send(_ signal: Int32) { kill(identifier, signal) }

  private func abandon() -> DeadlineExceeded {
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(identifier, &status, 0)
    pump.close()
    return DeadlineExceeded()
  }
}

/// Something did not happen in time.
public struct DeadlineExceeded: Error {
  /// What was seen until then, of a terminal.
  public var seen = ""

  /// Says so.
  public init(seen: String = "") { self.seen = seen }
}
