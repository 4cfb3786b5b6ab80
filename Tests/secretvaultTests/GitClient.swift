import Foundation
import TestSupport

/// The real git, which knows one credential helper: the tool.
struct GitClient {
  private static let executable = "/usr/bin/git"

  /// Whether there is a git to test with.
  static let isInstalled = FileManager.default.isExecutableFile(atPath: executable)

  /// The version as numbers, such as 2 and 39.
  static let version: [Int] = {
    let request = ChildProcess.Request(
      executable: executable,
      arguments: [Array("--version".utf8)],
      environment: [:]
    )
    let text = (try? ChildProcess(request).finish())?.text ?? ""
    return text.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
  }()

  private let tool: Tool

  /// Sets git up for the home folder of a tool.
  init(_ tool: Tool, settings: String = "") throws {
    self.tool = tool
    try tool.home.write(
      "[credential]\n\thelper = \"\(Tool.executable) helper git\"\n\(settings)",
      to: ".gitconfig"
    )
  }

  /// Runs `git credential` with lines of the form `key=value`, and no terminal to ask on.
  func credential(_ verb: String, _ lines: String...) throws -> ChildProcess.Outcome {
    var request = ChildProcess.Request(
      executable: Self.executable,
      arguments: ["credential", verb].map { Array($0.utf8) },
      environment: tool.environment.merging(
        ["GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"]
      ) { $1 }
    )
    request.input = .text(lines.map { $0 + "\n" }.joined() + "\n")
    return try ChildProcess(request).finish()
  }

  /// What git fills in, as a set of lines; `nil` where it would go on to ask.
  func fill(_ lines: String...) throws -> Set<String>? {
    let input = lines.joined(separator: "\n")
    let outcome = try credential("fill", input)
    return outcome.exitCode == 0
      ? Set(outcome.text.split(separator: "\n").map(String.init)) : nil
  }

  /// Tells git that a credential worked.
  func approve(_ username: String, _ password: String, host: String) throws {
    let outcome = try credential(
      "approve",
      "protocol=https",
      "host=\(host)",
      "username=\(username)",
      "password=\(password)"
    )
    if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
  }
}
