import Foundation
import TestSupport

/// The built tool, with a home folder of its own for each test.
struct Tool: Sendable {
  let home: TemporaryFolder
  /// Where the agent of the test is, apart from any real one; the agent ends with it.
  let runtime: AgentFolder
  /// The variables that every run gets.
  var environment: [String: String] = [:]

  /// The path of the executable, which stands beside the bundle of these tests.
  static let executable: String = {
    let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return runner.deletingLastPathComponent().appendingPathComponent("secretvault").path
  }()

  static let vaultPath = ".local/share/secretvault/default.vault"

  /// The tool without a vault.
  init() throws {
    home = try TemporaryFolder()
    runtime = try AgentFolder()
    environment["HOME"] = home.path
    environment["XDG_RUNTIME_DIR"] = runtime.path
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
  }

  /// The tool with a vault that a key file opens, which is quick; the key file is named in a variable.
  static func withVault() throws -> Tool {
    var tool = try Tool()
    let outcome = try tool.run("init", "--generate-key-file", tool.home.path("key"))
    if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
    tool.environment["SECRETVAULT_KEY_FILE"] = tool.home.path("key")
    return tool
  }

  /// A tool whose vault holds an item of either kind, and which has nothing that opens the vault but a file to name.
  static func forAgent() throws -> (tool: Tool, key: String) {
    let tool = try Tool.withVault()
    try tool.store("open sesame", "closes")
    try tool.store(Array("always".utf8), "--accessibility", "afterFirstUnlock", "stays")
    return (tool.withoutCredential, tool.home.path("key"))
  }

  /// The same home, without what opens the vault.
  var withoutCredential: Tool {
    var tool = self
    tool.environment["SECRETVAULT_KEY_FILE"] = nil
    return tool
  }

  /// Runs the tool to its end.
  func run(
    _ words: String...,
    input: ChildProcess.Stream = .pipe,
    configure: (inout ChildProcess.Request) -> Void = { _ in }
  ) throws -> ChildProcess.Outcome {
    try start(words, input: input, configure: configure).finish()
  }

  /// Starts the tool.
  func start(
    _ words: [String],
    input: ChildProcess.Stream = .pipe,
    configure: (inout ChildProcess.Request) -> Void = { _ in }
  ) throws -> ChildProcess {
    var request = ChildProcess.Request(
      executable: Self.executable,
      arguments: words.map { Array($0.utf8) },
      environment: environment
    )
    request.input = input
    configure(&request)
    return try ChildProcess(request)
  }

  /// Starts the tool at a terminal, with all its standard descriptors there.
  func start(_ words: [String], at terminal: PseudoTerminal) throws -> ChildProcess {
    try start(words, input: .terminal) { request in
      request.terminal = terminal
      request.output = .terminal
      request.errors = .terminal
    }
  }

  /// Stores bytes, and fails the test where that does not work.
  func store(_ secret: [UInt8], _ name: String...) throws {
    let process = try start(["set"] + name, input: .bytes(secret))
    let outcome = try process.finish()
    if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
  }

  /// Stores text.
  func store(_ secret: String, _ service: String, _ account: String = "") throws {
    try store(Array(secret.utf8), "--", service, account)
  }

  /// The bytes of a secret, or `nil` where `get` fails.
  func secret(_ service: String, _ account: String = "") throws -> [UInt8]? {
    let outcome = try run("get", "--", service, account)
    return outcome.exitCode == 0 ? outcome.output : nil
  }

  /// The text of a secret.
  func secretText(_ service: String, _ account: String = "") throws -> String? {
    try secret(service, account).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// What a test needs beforehand could not be made.
struct SetupFailure: Error, CustomStringConvertible {
  let description: String
}

extension ChildProcess.Outcome {
  /// Whether standard error holds one line of the form `secretvault: what happened; what to do`.
  var isOneErrorLine: Bool {
    errorText.hasPrefix("secretvault: ") && errorText.contains("; ") && errorText.hasSuffix("\n")
      && errorText.dropLast().allSatisfy { $0 != "\n" }
  }

  /// Standard output as JSON.
  func json() throws -> [String: Any] { try object(output) }

  /// Standard error as JSON.
  func errorJSON() throws -> [String: Any] { try object(errors) }

  private func object(_ bytes: [UInt8]) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(bytes))
    guard let object = value as? [String: Any] else { throw SetupFailure(description: "no object") }
    return object
  }
}
