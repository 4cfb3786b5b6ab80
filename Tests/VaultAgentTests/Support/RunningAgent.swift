import Foundation
import SecretVault
import TestSupport
import VaultAgent

/// An agent process of one test.
final class RunningAgent {
  /// How the agent is started; times in milliseconds, 0 for none.
  struct Settings {
    var idle = 0
    var lifetime = 0
    /// The unit of the pauses after rejected credentials.
    var pauseUnit = 1
    var monitorPause = 60_000
    var variables: [String: String] = [:]
    /// Another user to run as, which takes root.
    var user: uid_t?
  }

  /// The worker stands beside the bundle of these tests.
  private static let worker = URL(fileURLWithPath: "/proc/self/exe")
    .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("AgentWorker")
    .path

  /// What stands for `$XDG_RUNTIME_DIR`.
  let runtimeFolder: TemporaryFolder
  private let process: ChildProcess
  private var hasEnded = false

  /// Starts an agent and returns when it can be reached.
  init(_ settings: Settings = Settings(), in folder: TemporaryFolder? = nil) throws {
    runtimeFolder = try folder ?? TemporaryFolder()
    var request = Self.request(
      ["serve"]
        + [settings.idle, settings.lifetime, settings.pauseUnit, settings.monitorPause].map(
          String.init
        ),
      runtimePath: runtimeFolder.path,
      variables: settings.variables
    )
    if let user = settings.user {
      _ = unsafe chown(runtimeFolder.path, user, user)
      request = request.asUser(user)
    }
    process = try ChildProcess(request)
    guard eventually({ canBeReached || process.isOver }), !process.isOver else {
      throw AgentDidNotStart()
    }
  }

  deinit {
    if !hasEnded {
      process.send(SIGKILL)
      _ = try? process.finish()
    }
  }

  /// Describes a run of the worker.
  static func request(
    _ words: [String],
    runtimePath: String,
    variables: [String: String] = [:]
  ) -> ChildProcess.Request {
    var environment = variables
    environment["XDG_RUNTIME_DIR"] = runtimePath
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? ""
    return ChildProcess.Request(
      executable: worker,
      arguments: words.map { Array($0.utf8) },
      environment: environment
    )
  }

  /// Describes a client program that asks this agent.
  func client(_ words: String...) -> ChildProcess.Request {
    Self.request(words, runtimePath: runtimeFolder.path)
  }

  var socketPath: String { runtimeFolder.path("secretvault/agent.sock") }
  var identifier: pid_t { process.identifier }

  /// Whether somebody listens, be it as another user.
  private var canBeReached: Bool {
    do { return try LocalSocket.connect(to: socketPath) != nil } catch { return true }
  }

  /// Connects as a client does.
  func connect() throws -> FrameChannel { try FrameChannel(connectingTo: socketPath) }

  /// Unlocks a vault with its key file, over a connection of its own.
  func unlock(_ vault: AgentVault) throws {
    try connect().succeed(.unlock(vault.unlockRequest(.keyFile(vault.keyFile))))
  }

  func send(_ signal: Int32) { process.send(signal) }

  /// Waits for the end of the process.
  func finish() throws -> ChildProcess.Outcome {
    hasEnded = true
    return try process.finish()
  }

  /// A figure of `/proc/PID/status` in KiB, such as `VmRSS`.
  func kibibytes(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

struct AgentDidNotStart: Error {}

extension ChildProcess {
  /// Whether the process has ended; it is left to be collected.
  var isOver: Bool {
    var information = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    return unsafe waitid(P_PID, id_t(identifier), &information, options) == 0
      && (unsafe information.si_signo) == SIGCHLD
  }
}

extension ChildProcess.Request {
  /// The same run by another user, which takes root.
  func asUser(_ user: uid_t) -> ChildProcess.Request {
    var request = self
    request.executable = "/usr/bin/setpriv"
    let words = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", executable]
    request.arguments = words.map { Array($0.utf8) } + arguments
    return request
  }
}

extension AgentVault {
  /// The path as the agent knows it.
  var vaultPath: VaultPath {
    get throws { try VaultPath(resolving: path) }
  }

  func unlockRequest(_ credential: SentCredential) throws -> UnlockRequest {
    var request = UnlockRequest(path: try vaultPath, credential: credential)
    request.stateDirectory = statePath
    return request
  }
}

extension FrameChannel {
  /// The agent closed the connection instead of answering.
  struct Closed: Error {}

  /// Connects to an agent.
  init(connectingTo path: String) throws {
    guard let socket = try LocalSocket.connect(to: path) else { throw Closed() }
    self.init(socket)
  }

  /// Sends a request and waits for one reply.
  func ask(_ request: Request, patience: Duration = .seconds(60)) throws -> Reply {
    // An agent that has no room for the whole request says so before it closes the connection.
    do throws(ChannelError) { try send(request.message) } catch .closed {}
    return try reply(patience: patience)
  }

  /// Waits for one reply.
  func reply(patience: Duration = .seconds(60)) throws -> Reply {
    let frame = try receive(until: .now + patience, limit: ReplyKind.bodyLimit(ofKind:))
    guard let frame, let kind = ReplyKind(rawValue: frame.header.kind) else { throw Closed() }
    return try Reply(kind, reading: frame.reader())
  }

  /// Sends a request that must succeed.
  @discardableResult
  func succeed(_ request: Request) throws -> Reply {
    let reply = try ask(request)
    if case .failure(let error) = reply { throw error }
    return reply
  }

  /// The code of the failure of a request, or `nil` where it succeeds.
  func failure(of request: Request) throws -> VaultError.Code? {
    guard case .failure(let error) = try ask(request) else { return nil }
    return error.code
  }

  /// The secret of an item as text, or `nil` where there is none.
  func secret(_ vault: AgentVault, _ identity: ItemIdentity) throws -> String? {
    guard case .secret(let secret) = try succeed(.secret(vault.vaultPath, identity)) else {
      return nil
    }
    return secret?.text
  }

  /// The lock state of a vault that the agent has unlocked once.
  func state(_ vault: AgentVault) throws -> LockState? {
    guard case .status(let vaults) = try succeed(.status(vault.vaultPath)) else { return nil }
    return vaults.first?.state
  }
}
