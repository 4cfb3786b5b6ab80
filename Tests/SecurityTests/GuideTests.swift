import Foundation
import TestSupport
import Testing

/// The guide is true: its files and commands, in order, print what it says.
@Suite("The moving guide")
struct GuideTests {
  private struct Block {
    let language: String
    let text: String
    /// The file that the text is, where the line before the block ends with its name.
    let file: String?
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func blocks() throws -> [Block] {
    let guide = root.appending(path: "Sources/Security/Security.docc/moving-a-keychain-client.md")
    let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let language = parts[index].prefix { $0 != "\n" }
      let before = parts[index - 1].split(separator: "\n").last ?? ""
      let name = before.hasSuffix("`:") ? before.split(separator: "`").dropLast().last : nil
      let text = parts[index].dropFirst(language.count + 1)
      return Block(language: String(language), text: String(text), file: name.map(String.init))
    }
  }

  /// The guide as one program of the shell.
  private static func script() throws -> String {
    let place = #"url: "https://example.org/secretvault.git", branch: "main""#
    var script = "set -eu\n"
    for block in try blocks() {
      switch (block.language, block.file) {
      case ("swift", let file?):
        let text = block.text.replacing(
          place,
          with: "name: \"SecretVault\", path: \"\(root.path)\""
        )
        script += "mkdir -p $(dirname \(file))\ncat > \(file) <<'END'\n\(text)END\n"
      case ("sh", nil): script += block.text
      case ("text", nil): break
      default: Issue.record("a block of \(block.language) that is nothing to run")
      }
    }
    return script
  }

  @Test("its blocks, run in order in an empty folder, print what it says")
  func run() throws {
    let folder = try TemporaryFolder()
    let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var environment = ProcessInfo.processInfo.environment
    environment = environment.filter { !$0.key.hasPrefix("SECRETVAULT_") }
    environment["HOME"] = folder.path
    environment["PATH"] =
      runner.deletingLastPathComponent().path + ":" + (environment["PATH"] ?? "")
    try folder.write(try Self.script(), to: "guide.sh")
    let request = ChildProcess.Request(
      executable: "/bin/bash",
      arguments: ["-c", "cd \(folder.path) && . ./guide.sh"].map { Array($0.utf8) },
      environment: environment
    )
    let outcome = try ChildProcess(request).finish(within: .seconds(900))
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let promised = try Self.blocks().filter { $0.language == "text" }.map(\.text).joined()
    #expect(outcome.text == promised)
  }
}
