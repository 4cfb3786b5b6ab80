import Foundation
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("How an agent comes and goes")
struct LifeTests {
  private let folder: TemporaryFolder
  private var serve: ChildProcess.Request {
    RunningAgent.request(["serve", "0", "0", "1", "60000"], runtimePath: folder.path)
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("folder, socket and lock are closed to others, whatever the umask")
  func modes() throws {
    let agent = try RunningAgent(in: folder)
    #expect(try folder.mode(of: "secretvault") == 0o700)
    #expect(try folder.mode(of: "secretvault/agent.sock") == 0o600)
    #expect(try folder.mode(of: "secretvault/agent.lock") == 0o600)
    agent.send(SIGTERM)
    #expect(try agent.finish().exitCode == 0)
  }

  @Test("a second agent leaves at once, and the first one serves on")
  func secondAgent() throws {
    let vault = try AgentVault()
    let agent = try RunningAgent(in: folder)
    try agent.unlock(vault)
    let second = try ChildProcess(serve).finish()
    #expect(second.exitCode == 1)
    #expect(second.text.hasPrefix("agentExists"))
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
  }

  @Test("A-8: a killed agent's socket is replaced, and the new agent holds no key")
  func killed() throws {
    let vault = try AgentVault()
    let first = try RunningAgent(in: folder)
    try first.unlock(vault)
    let client = try first.connect()
    first.send(SIGKILL)
    #expect(try first.finish().signal == SIGKILL)
    #expect(folder.has("secretvault/agent.sock"), "nobody has cleared up")
    #expect(throws: (any Error).self) { try client.ask(.status(nil)) }
    #expect(try LocalSocket.connect(to: first.socketPath) == nil)
    let second = try RunningAgent(in: folder)
    #expect(try second.connect().state(vault) == nil)
    #expect(
      try second.connect().failure(of: .secret(vault.vaultPath, .always)) == .locked
    )
    try second.unlock(vault)
    #expect(try second.connect().secret(vault, .whenUnlocked) == "secret")
  }

  @Test("SIGTERM and SIGINT end the agent, and its socket goes", arguments: [SIGTERM, SIGINT])
  func ending(_ signal: Int32) throws {
    let vault = try AgentVault()
    let agent = try RunningAgent(in: folder)
    try agent.unlock(vault)
    agent.send(signal)
    #expect(try agent.finish().exitCode == 0)
    #expect(try folder.names() == ["secretvault"])
    #expect(!folder.has("secretvault/agent.sock"))
  }

  @Test("SIGHUP and SIGUSR1 lock every vault", arguments: [SIGHUP, SIGUSR1])
  func locking(_ signal: Int32) throws {
    let vaults = try [AgentVault(), AgentVault()]
    let agent = try RunningAgent(in: folder)
    for vault in vaults { try agent.unlock(vault) }
    agent.send(signal)
    let client = try agent.connect()
    for vault in vaults { #expect(try eventually { try client.state(vault) == .locked }) }
  }

  @Test("a runtime folder with too long a path is refused and not cut")
  func longPath() throws {
    let path = folder.path(String(repeating: "x", count: 100))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let request = RunningAgent.request(["serve", "0", "0", "1", "1"], runtimePath: path)
    #expect(try ChildProcess(request).finish().text.hasPrefix("invalidArgument"))
  }

  @Test(
    "without a runtime folder the socket is in a folder in /tmp that is named by the user",
    .enabled(if: OtherUser.canBePlayed, "\(OtherUser.absence)")
  )
  func fallback() throws {
    // A user that nobody is, so that no agent of a person is met.
    let user: uid_t = 64_321
    let path = "/tmp/secretvault-\(user)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var request = serve.asUser(user)
    request.environment["XDG_RUNTIME_DIR"] = nil
    let agent = try ChildProcess(request)
    #expect(eventually { FileManager.default.fileExists(atPath: path + "/agent.sock") })
    agent.send(SIGTERM)
    #expect(try agent.finish().exitCode == 0)
    // Whoever makes the folder first gains nothing.
    #expect(unsafe chown(path, 0, 0) == 0)
    #expect(try ChildProcess(request).finish().text.hasPrefix("insecureFile"))
  }

  @Test("a service manager's socket is served, and stays when the agent ends")
  func activation() throws {
    let vault = try AgentVault()
    let path = folder.path("activation.sock")
    let listener = try LocalSocket.listen(at: path)
    // As a service manager does: the socket is descriptor 3, and LISTEN_PID is the process itself.
    let script = "export LISTEN_FDS=1 LISTEN_PID=$$; exec \"$0\" \"$@\""
    let words = ["-c", script, serve.executable].map { Array($0.utf8) }
    var request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: words + serve.arguments,
      environment: serve.environment
    )
    request.sharedDescriptors[3] = listener.number
    let agent = try ChildProcess(request)
    let client = try FrameChannel(connectingTo: path)
    try client.succeed(.unlock(vault.unlockRequest(.keyFile(vault.keyFile))))
    #expect(try client.secret(vault, .whenUnlocked) == "secret")
    agent.send(SIGTERM)
    #expect(try agent.finish().exitCode == 0)
    #expect(folder.has("activation.sock"))
    #expect(!folder.has("secretvault/agent.sock"))
  }
}
