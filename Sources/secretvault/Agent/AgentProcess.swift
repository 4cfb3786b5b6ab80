import Glibc
import SecretVault
import VaultAgent

/// The agent as a process in the background that the tool starts.
enum AgentProcess {
  /// The descriptor over which the agent tells that it can be reached; the first one after the standard ones.
  static let readyDescriptor: Int32 = 3

  private static let endedAtOnce = Failure(
    .other,
    name: "agent",
    "the agent ended at once; see secretvault agent --foreground"
  )

  private static let unreachable = Failure(
    .other,
    name: "agent",
    "an agent runs, but its socket was removed; end the process secretvault agent and try again"
  )

  /// Connects to the agent of the user, and starts one first where none runs.
  ///
  /// - Throws: A failure: what keeps the agent from starting.
  static func connect(
    startingWith options: [String] = [],
    ifAllowed check: () throws -> Void = {}
  ) throws -> AgentControl {
    if let agent = try AgentControl.connect() { return agent }
    try check()
    var isTaken = false
    do throws(Failure) {
      try start(options: options)
    } catch {
      // Where another process was quicker, its agent is as good.
      if error.exitCode != .alreadyExists { throw error }
      isTaken = true
    }
    guard let agent = try AgentControl.connect() else {
      throw isTaken ? unreachable : endedAtOnce
    }
    return agent
  }

  /// Starts an agent in a session of its own, and returns when it can be reached.
  ///
  /// - Throws: A failure: the agent's own, where it cannot start.
  static func start(options: [String]) throws(Failure) {
    let pipe = try Pipe()
    let child = try ChildProcess(
      ChildProcess.Request(
        arguments: ["secretvault", "agent", "--foreground"] + options
          + [Option.readyDescriptor.name, "\(readyDescriptor)"],
        streams: [.nothing, .nothing, .nothing, .descriptor(pipe.writeEnd.number)],
        startsSession: true
      ),
      name: "the tool itself"
    )
    pipe.closeWriteEnd()
    let told = try contents(of: pipe.readEnd)
    if told.first == AgentServer.readyByte { return }
    let exitCode = ExitCode(rawValue: try child.waitForEnd()) ?? .other
    // Who is killed can say nothing.
    if told.isEmpty { throw endedAtOnce }
    throw Failure(exitCode, name: "agent", String(decoding: told, as: UTF8.self))
  }

  /// What the agent writes until it closes the descriptor: one byte, or why it could not start.
  private static func contents(of descriptor: Descriptor) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1024)
    while true {
      var space = chunk.mutableSpan
      let count = try descriptor.read(into: &space, at: 0..<space.count, name: "from the agent")
      if count == 0 { return contents }
      contents += chunk.prefix(count)
    }
  }
}
