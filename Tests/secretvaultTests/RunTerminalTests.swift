import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "run in a terminal",
  .enabled(if: TerminalWindow.isUsable, "tmux is missing; install the package tmux")
)
struct RunTerminalTests {
  private let tool: Tool
  private let window: TerminalWindow

  init() throws {
    tool = try Tool.withVault()
    try tool.store("tok", "s")
    window = try TerminalWindow(columns: 191, rows: 23, environment: tool.environment)
  }

  private var run: String { "\(Tool.executable) run --env A=secret://s --" }

  @Test("the program has the terminal and its size, and sees it change")
  func size() throws {
    try window.type("\(run) sh -c 'test -t 0 && test -t 1 && stty size'")
    try window.expect("23 191")
    try window.type(
      "\(run) bash -c 'trap \"stty size\" WINCH; echo re''ady; while :; do sleep 0.1; done'"
    )
    try window.expect("ready")
    try window.resize(columns: 170, rows: 15)
    try window.expect("15 170")
  }

  @Test("ps shows the program under the number of the tool")
  func processList() throws {
    try window.type("\(run) sleep 600 & echo started")
    try window.expect("started")
    try window.type("until ps -o comm= -p $! | grep -x sleep; do :; done; echo \"is $?\"; kill $!")
    try window.expect("is 0")
  }

  @Test("^Z stops the program, fg goes on with it, and ^C ends it")
  func jobControl() throws {
    try window.type("\(run) sh -c 'echo re''ady; exec cat'")
    try window.expect("ready")
    try window.press("C-z")
    try window.expect("Stopped")
    try window.type("fg")
    try window.expect("exec cat'\n")
    try window.type("through the cat")
    try window.expect("through the cat\nthrough the cat")
    try window.press("C-c")
    try window.type("echo \"was $?\"")
    try window.expect("was 130")
  }
}

/// A shell in a window of `tmux(1)`, with a server of its own.
final class TerminalWindow: Sendable {
  static let isUsable = FileManager.default.isExecutableFile(atPath: path)
  private static let path = "/usr/bin/tmux"

  private let folder: TemporaryFolder
  private let environment: [String: String]

  init(columns: Int, rows: Int, environment: [String: String]) throws {
    folder = try TemporaryFolder()
    var environment = environment
    environment["LC_ALL"] = "C"
    environment["TERM"] = "screen"
    environment["PATH"] = "/usr/bin:/bin"
    self.environment = environment
    let shell = "bash --norc --noprofile"
    try call(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell])
    try call(["set-option", "-g", "window-size", "manual"])
    try call(["set-option", "-g", "status", "off"])
    try call(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    try expect("bash-")
  }

  deinit { _ = try? call(["kill-server"]) }

  /// Types a line.
  func type(_ line: String) throws {
    try call(["send-keys", "-l", line])
    try press("Enter")
  }

  /// Presses a key by its name in tmux.
  func press(_ key: String) throws { try call(["send-keys", key]) }

  func resize(columns: Int, rows: Int) throws {
    try call(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What the screen shows.
  func screen() throws -> String { try call(["capture-pane", "-p"]) }

  /// Waits until the screen shows a text.
  ///
  /// - Throws: ``DeadlineExceeded`` with what it shows instead.
  func expect(_ text: String) throws {
    var screen = ""
    do {
      try waitUntil {
        screen = try self.screen()
        return screen.contains(text)
      }
    } catch is DeadlineExceeded {
      throw DeadlineExceeded(seen: screen)
    }
  }

  /// Runs tmux, whose server lives on: it gets no pipe that a test waits for.
  @discardableResult
  private func call(_ words: [String]) throws -> String {
    let script = "exec 198>&-; exec \(Self.path) -S \"$0\" -f /dev/null \"$@\""
    var request = ChildProcess.Request(
      executable: "/bin/bash",
      arguments: (["-c", script, folder.path("socket")] + words).map { Array($0.utf8) },
      environment: environment
    )
    let output = try folder.write("", to: "output")
    request.output = .file(output)
    request.errors = .file(output)
    let outcome = try ChildProcess(request).finish()
    let text = String(decoding: folder.contents(of: "output") ?? [], as: UTF8.self)
    if outcome.exitCode != 0 { throw SetupFailure(description: text) }
    return text
  }
}
