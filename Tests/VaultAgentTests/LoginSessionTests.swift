import Foundation
import SecretVault
import TestSupport
import Testing

@testable import VaultAgent

@Suite("What dbus-monitor prints")
struct LoginSignalReaderTests {
  private let signal =
    "signal time=1.0 sender=:1.0 -> destination=(null destination) serial=3 path="
  private let manager = "/org/freedesktop/login1; interface=org.freedesktop.login1.Manager; member="
  private let session =
    "/org/freedesktop/login1/session/c1; interface=org.freedesktop.login1.Session; member="

  private func locks(_ lines: String...) -> Bool {
    var reader = LoginSignalReader()
    // Byte by byte, as a pipe may give it.
    return lines.joined(separator: "\n").utf8.reduce(false) { reader.read([$1]) || $0 }
  }

  @Test("going to sleep locks, waking up does not")
  func sleep() {
    #expect(locks(signal + manager + "PrepareForSleep", "   boolean true", ""))
    #expect(!locks(signal + manager + "PrepareForSleep", "   boolean false", ""))
    #expect(!locks(signal + manager + "PrepareForShutdown", "   boolean true", ""))
    #expect(!locks("   boolean true", ""))
  }

  @Test("the argument belongs to the signal right before it")
  func arguments() {
    #expect(
      !locks(signal + manager + "PrepareForSleep", "   boolean false", "   boolean true", "")
    )
    #expect(
      !locks(
        signal + manager + "PrepareForSleep",
        signal + session + "Unlock",
        "   boolean true",
        ""
      )
    )
  }

  @Test("the lock of a session locks, its unlock does not")
  func sessions() {
    #expect(locks(signal + session + "Lock", ""))
    #expect(!locks(signal + session + "Unlock", ""))
    #expect(!locks(signal + manager + "Lock", ""))
  }

  @Test("a line without an end takes no memory")
  func longLine() {
    var reader = LoginSignalReader()
    let endless = reader.read([UInt8](repeating: 0x61, count: 1 << 20))
    let end = reader.read(Array("\n".utf8))
    let lock = reader.read(Array((signal + session + "Lock\n").utf8))
    #expect([endless, end, lock] == [false, false, true])
  }
}

@Suite("The login session", .enabled(if: MockedLogind.isAvailable, "\(MockedLogind.absence)"))
struct LoginSessionTests {
  private let vault: AgentVault
  private let logind: MockedLogind

  init() throws {
    vault = try AgentVault()
    logind = try MockedLogind()
  }

  private func agent(monitorPause: Int = 60_000) throws -> RunningAgent {
    var settings = RunningAgent.Settings()
    settings.variables = logind.variables
    settings.monitorPause = monitorPause
    let agent = try RunningAgent(settings)
    try agent.unlock(vault)
    return agent
  }

  @Test(
    "suspending the machine and locking the session lock every vault",
    arguments: ["sleep", "lock"]
  )
  func locking(_ signal: String) throws {
    let agent = try agent()
    let client = try agent.connect()
    // Signals that come before the helper has registered are lost, so it is sent until it is heard.
    #expect(
      try eventually {
        try logind.emit(signal)
        return try client.state(vault) == .locked
      }
    )
    try agent.unlock(vault)
    for other in ["wake", "unlock"] { try logind.emit(other) }
    #expect(try client.secret(vault, .whenUnlocked) == "secret")
  }

  @Test("the helper's death changes nothing, and it is started again after a pause")
  func helperDeath() throws {
    let agent = try agent(monitorPause: 300)
    let client = try agent.connect()
    #expect(eventually { agent.children.count == 1 })
    let first = try #require(agent.children.first)
    kill(first, SIGKILL)
    #expect(try client.secret(vault, .whenUnlocked) == "secret")
    #expect(eventually { agent.children.count == 1 && agent.children != [first] })
    #expect(
      try eventually {
        try logind.emit("lock")
        return try client.state(vault) == .locked
      }
    )
  }

  @Test("the helper ends with the agent, however that ends", arguments: [SIGTERM, SIGKILL])
  func agentDeath(_ signal: Int32) throws {
    let agent = try agent()
    #expect(eventually { agent.children.count == 1 })
    let helper = try #require(agent.children.first)
    agent.send(signal)
    _ = try agent.finish()
    #expect(eventually { kill(helper, 0) != 0 })
  }
}

extension RunningAgent {
  /// The processes that the agent has started.
  var children: [pid_t] {
    let path = "/proc/\(identifier)/task/\(identifier)/children"
    let file = FileHandle(forReadingAtPath: path)
    let text = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
    return text.split(separator: " ").compactMap { pid_t($0) }
  }
}

/// A system bus of its own, on which python-dbusmock plays logind.
final class MockedLogind {
  static let isAvailable =
    ["/usr/bin/dbus-daemon", "/usr/bin/dbus-monitor", "/usr/lib/python3/dist-packages/dbusmock"]
    .allSatisfy { FileManager.default.fileExists(atPath: $0) } && Python.isInstalled

  static let absence = "needs dbus-daemon, dbus-monitor and python3-dbusmock"

  /// Starts the bus and the mock, writes the bus's address to a file, and waits for its own end.
  private static let server = """
    import dbusmock, os, signal, sys
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    dbusmock.DBusTestCase.start_system_bus()
    server, logind = dbusmock.DBusTestCase.spawn_server_template("logind", {})
    logind.AddSession("c1", "seat0", 1000, "somebody", True, dbus_interface=dbusmock.MOCK_IFACE)
    with open(sys.argv[1] + ".new", "w") as file: file.write(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    signal.sigwait([signal.SIGTERM])
    server.kill()
    os.kill(dbusmock.DBusTestCase.system_bus_pid, signal.SIGKILL)
    """

  private static let emission = """
    import dbus, dbusmock, sys
    manager = "org.freedesktop.login1.Manager"
    session = "org.freedesktop.login1.Session"
    path, interface, name, signature, arguments = {
      "sleep": ("", manager, "PrepareForSleep", "b", [True]),
      "wake": ("", manager, "PrepareForSleep", "b", [False]),
      "lock": ("/session/c1", session, "Lock", "", []),
      "unlock": ("/session/c1", session, "Unlock", "", []),
    }[sys.argv[1]]
    logind = dbus.SystemBus().get_object("org.freedesktop.login1", "/org/freedesktop/login1" + path)
    logind.EmitSignal(interface, name, signature, arguments, dbus_interface=dbusmock.MOCK_IFACE)
    """

  let variables: [String: String]
  /// Holds what the bus needs.
  private let folder: TemporaryFolder
  private let process: ChildProcess

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    var request = Python.script(Self.server, [folder.path("address")])
    request.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path]
    process = try ChildProcess(request)
    guard eventually({ folder.has("address") }), let address = folder.contents(of: "address")
    else { throw DeadlineExceeded() }
    variables = ["DBUS_SYSTEM_BUS_ADDRESS": String(decoding: address, as: UTF8.self)]
  }

  deinit {
    process.send(SIGTERM)
    _ = try? process.finish()
  }

  /// Lets logind say something, and returns when it has been said.
  func emit(_ signal: String) throws {
    let request = Python.script(Self.emission, [signal], variables: variables)
    let outcome = try ChildProcess(request).finish()
    guard outcome.exitCode == 0 else { throw Failure(text: outcome.errorText) }
  }

  struct Failure: Error {
    let text: String
  }
}
