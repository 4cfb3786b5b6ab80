import Foundation
import TestSupport
import Testing

/// A real shell with its completion of the tool, and a test at the keyboard.
private struct InteractiveShell {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case bash
    case zsh
    case fish

    var testDescription: String { rawValue }
    var path: String { "/usr/bin/\(rawValue)" }
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    var options: [String] {
      switch self {
      case .bash: ["--norc", "--noprofile", "-i"]
      case .zsh: ["-f", "-i"]
      case .fish: ["--no-config", "-i"]
      }
    }

    /// Loads the completion, and lets the command show its words instead of running: the scripts ask the
    /// tool itself in any case.
    var preparation: String {
      switch self {
      case .bash:
        #"source <(secretvault completion bash); secretvault() { printf '<%s>' "$@"; }"#
      case .zsh:
        #"autoload -U compinit; compinit -u -D; source <(secretvault completion zsh);"#
          + #" secretvault() { printf '<%s>' "$@"; }"#
      case .fish:
        #"secretvault completion fish | source; function secretvault; printf '<%s>' $argv; end"#
      }
    }
  }

  static let installed = Kind.allCases.filter(\.isInstalled)

  private let terminal: PseudoTerminal
  private let process: ChildProcess

  /// Starts a shell in the home folder of a tool.
  init(_ kind: Kind, _ tool: Tool) throws {
    terminal = try PseudoTerminal()
    let folder = URL(fileURLWithPath: Tool.executable).deletingLastPathComponent().path
    let environment = [
      "PATH": "\(folder):/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", "PS1": "> ",
    ]
    let script = "cd \"$HOME\" && exec \"$0\" \"$@\""
    var request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: (["-c", script, kind.path] + kind.options).map { Array($0.utf8) },
      environment: tool.environment.merging(environment) { $1 }
    )
    request.terminal = terminal
    request.input = .terminal
    request.output = .terminal
    request.errors = .terminal
    process = try ChildProcess(request)
    try run(kind.preparation)
  }

  /// Runs a line, and waits until the shell has done so.
  func run(_ line: String) throws {
    try terminal.type("\(line); echo re''ady\r")
    try terminal.expect("ready")
  }

  /// Types the beginning of a line, lets the shell complete it, runs it, and returns the words that the
  /// command got.
  func words(completing line: String) throws -> String {
    try terminal.type(line + "\t")
    // What is typed ahead waits until the completion is there.
    try terminal.type("; echo d''one\r")
    let screen = try terminal.expect("done\r\n")
    let start = screen.range(of: "<get>", options: .backwards)?.lowerBound
    let end = screen.range(of: "done", options: .backwards)?.lowerBound
    guard let start, let end, start < end else { throw SetupFailure(description: screen) }
    return String(screen[start..<end]).replacing("\r\n", with: "\n")
  }

  func end() throws {
    try terminal.type("exit\r")
    _ = try process.finish()
  }
}

@Suite("completion, in real shells")
struct ShellCompletionTests {
  private static func tool(names: [String]) throws -> Tool {
    let tool = try Tool.withVault()
    #expect(try tool.run("unlock", "--key-file", tool.home.path("key")).exitCode == 0)
    for name in names { try tool.store("x", name) }
    return tool.withoutCredential
  }

  @Test(
    "names that look like code are completed and never run",
    .enabled(if: !InteractiveShell.installed.isEmpty, "there is none of the shells"),
    arguments: InteractiveShell.installed
  )
  fileprivate func hostileNames(kind: InteractiveShell.Kind) throws {
    let endings = [
      " with space", "$(touch ran)", "`touch ran`", ";touch ran;", "&touch ran&", "|touch ran",
      ">ran", "quo'te\"d", "back\\slash", "*~!!#{a,b}", "$HOME${PATH}", "ü\u{1F4A1}", ":a:b=c", "'",
    ]
    var names = endings.enumerated().map { "n\($0.offset)-\($0.element)" }
    if kind != .fish { names += ["n20-new\nline$(touch ran)", "n21-tab\ttouch ran\u{1B}[31m"] }
    let tool = try Self.tool(names: names)
    let shell = try InteractiveShell(kind, tool)
    for name in names {
      let start = name.prefix { $0 != "-" } + "-"
      #expect(try shell.words(completing: "secretvault get \(start)") == "<get><\(name)>")
    }
    try shell.end()
    #expect(!tool.home.has("ran"))
  }

  @Test(
    "commands, options, files and what follows a quoted word are completed",
    .enabled(if: !InteractiveShell.installed.isEmpty, "there is none of the shells"),
    arguments: InteractiveShell.installed
  )
  fileprivate func places(kind: InteractiveShell.Kind) throws {
    let tool = try Self.tool(names: ["git:https://example.com", "one two"])
    try tool.store("x", "one two", "the account")
    try tool.home.write("", to: "some file")
    let shell = try InteractiveShell(kind, tool)
    let lines = [
      ("secretvault get --no-new", "<get><--no-newline>"),
      ("secretvault get git:https://ex", "<get><git:https://example.com>"),
      ("secretvault get 'one two' th", "<get><one two><the account>"),
      ("secretvault get --key-file some", "<get><--key-file><some file>"),
      ("secretvault get --key-file=some", "<get><--key-file=some file>"),
    ]
    for (line, words) in lines { #expect(try shell.words(completing: line) == words) }
    try shell.end()
  }
}
