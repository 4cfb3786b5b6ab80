import Foundation
import SecretVault
import TestSupport
import Testing

@testable import VaultAgent

/// Which lines of dbus-monitor lock.
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

/// What the agent makes of the signals of logind.
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
