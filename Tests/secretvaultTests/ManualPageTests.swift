import Foundation
import TestSupport
import Testing

@Suite("the manual")
struct ManualPageTests {
  private static let linter = "/usr/bin/mandoc"
  private static let reader = "/usr/bin/man"

  private static func isInstalled(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program)
  }

  private static func page(_ command: String) throws -> String {
    let words = ["help", "--man"] + command.split(separator: " ").map(String.init)
    let outcome = try Tool().start(words).finish()
    #expect(outcome.exitCode == 0)
    return outcome.text
  }

  /// Runs a program on a page.
  private static func run(
    _ program: String,
    _ arguments: String...,
    page: String
  ) throws -> ChildProcess.Outcome {
    var request = ChildProcess.Request(
      executable: program,
      arguments: arguments.map { Array($0.utf8) },
      environment: ["PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"]
    )
    request.input = .text(page)
    return try ChildProcess(request).finish()
  }

  /// Every command that the help names.
  private static func commands() throws -> [String] {
    let lines = try Tool().run("help").text.split(separator: "\n")
    let entries = lines.drop { $0 != "commands:" }.dropFirst().prefix { $0.hasPrefix("  ") }
    return entries.filter { !$0.hasPrefix("    ") }.map { line in
      line.dropFirst(2).components(separatedBy: "  ")[0].components(separatedBy: ",")[0]
    }
  }

  @Test(
    "mandoc finds nothing to warn about in any page",
    .enabled(if: isInstalled(linter), "there is no mandoc")
  )
  func lint() throws {
    let commands = try Self.commands()
    #expect(commands.count > 20)
    for command in [""] + commands {
      let outcome = try Self.run(
        Self.linter,
        "-T",
        "lint",
        "-W",
        "warning",
        page: try Self.page(command)
      )
      #expect(outcome.text == "", "\(command)")
    }
  }

  @Test(
    "man shows every command and every option as it is typed",
    .enabled(if: isInstalled(reader), "there is no man")
  )
  func rendered() throws {
    let outcome = try Self.run(Self.reader, "--warnings", "-l", "-", page: try Self.page(""))
    #expect(outcome.errors.isEmpty)
    let shown = outcome.text.replacing(/.\u{8}/, with: "")
    for command in try Self.commands() {
      #expect(shown.contains("\n   \(command)\n"), "\(command)")
      let help = try Tool().start(["help"] + command.split(separator: " ").map(String.init))
      let options = try help.finish().text.matches(of: /\n  (--[a-z-]+)/)
      for option in options { #expect(shown.contains("       \(option.output.1)"), "\(option)") }
    }
    #expect(shown.contains("\"$(command -v secretvault)"))
    for code in ["0", "20", "127"] { #expect(shown.contains("\n       \(code) ")) }
  }

  @Test("no line is taken for a request but those that are meant")
  func requests() throws {
    let requests = [".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".BR"]
    for command in ["", "run", "import", "helper git"] {
      for line in try Self.page(command).split(separator: "\n") where ".'".contains(line.prefix(1))
      {
        #expect(requests.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
      }
    }
    let text = try Self.page("").replacing(/\\(f[BIR]|\([a-z]{2}|[-&])/, with: "")
    #expect(!text.contains("\\"))
  }

  @Test("a command's own page is named for it, and an unknown command is 2")
  func oneCommand() throws {
    #expect(try Self.page("slot add").hasPrefix(".TH SECRETVAULT\\-SLOT\\-ADD 1 "))
    #expect(try Tool().run("help", "gte", "--man").exitCode == 2)
  }
}
