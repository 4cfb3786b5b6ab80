import Foundation
import Glibc
import TestSupport
import Testing

@Suite("inject")
struct InjectTests {
  private static let socketKind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

  private static func filled(_ template: String, _ tool: Tool) throws -> ChildProcess.Outcome {
    try tool.run("inject", input: .text(template))
  }

  @Test(
    "references become secrets, four braces two, and everything else stays",
    arguments: [
      ("", ""), ("text\n", "text\n"), ("{{secret://s}}", "tok"), ("{{ secret://s }}", "tok"),
      ("{{ \tsecret://s/\t }}", "tok"), ("a{{ secret://s }}{{ secret://s }}b", "atoktokb"),
      ("{{{{ secret://s }}", "{{ secret://s }}"), ("{{{{", "{{"), ("{{{{{{ secret://s }}", "{{tok"),
      ("{{{ secret://s }}}", "{tok}"), ("{{ .Values.x }}", "{{ .Values.x }}"), ("{{", "{{"),
      ("{{ ", "{{ "),
      ("}} { } {{ secret", "}} { } {{ secret"), ("secret://s", "secret://s"),
      ("{{\nsecret://s }}", "{{\nsecret://s }}"),
      ("{{ secret://s?group=default }}", "tok"), ("é{{ secret://s }}é", "étoké"),
    ]
  )
  func forms(template: String, expected: String) throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let outcome = try Self.filled(template, tool)
    #expect(outcome.exitCode == 0)
    #expect(outcome.text == expected)
  }

  @Test("case 104: every byte of template and secret is kept")
  func bytes() throws {
    let tool = try Tool.withVault()
    let all = (0...255).map { UInt8($0) }
    try tool.store(all + all, "s")
    let template = all + Array("{{ secret://s }}".utf8) + all
    let outcome = try tool.start(["inject"], input: .bytes(template)).finish()
    #expect(outcome.output == all + all + all + all)
  }

  @Test("case 103: the template comes from a file, a redirect, a pipe or a socket")
  func inputs() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let template = Array("\u{1B}[1m\u{0}{{ secret://s }}\u{7}".utf8)
    let expected = Array("\u{1B}[1m\u{0}tok\u{7}".utf8)
    let file = try tool.home.write(template, to: "template", mode: 0o644)
    #expect(try tool.run("inject", "--in", file).output == expected)
    #expect(try tool.run("inject", input: .file(file)).output == expected)
    #expect(try tool.run("inject", input: .bytes(template)).output == expected)
    var ends: [Int32] = [0, 0]
    #expect(unsafe socketpair(AF_UNIX, Self.socketKind, 0, &ends) == 0)
    #expect(unsafe write(ends[1], template, template.count) == template.count)
    close(ends[1])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Tool.executable)
    process.arguments = ["inject"]
    process.environment = tool.environment
    process.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(try output.fileHandleForReading.readToEnd().map { Array($0) } == expected)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try tool.run("inject", input: .closed).exitCode == 2)
  }

  @Test(
    "a reference that is malformed or not closed is 2, names the line and writes nothing",
    arguments: [
      "{{ secret://hush", "{{ secret://hush }", "{{ secret://hush\n}}", "{{ secret:// }}",
      "{{ secret://hush x }}", "{{ secret://hush/a/b }}", "{{ secret://hush%2 }}",
      "{{ secret://hush?x=y }}", "{{secret://hush{{x}}",
    ]
  )
  func malformed(reference: String) throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let outcome = try Self.filled("{{ secret://s }}\n\n\(reference)\n", tool)
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(outcome.errorText.contains("line 3"))
    #expect(!outcome.errorText.contains("hush"))
    #expect(outcome.output.isEmpty)
  }

  @Test("a missing secret is 3 with the number of the line, and nothing is written anywhere")
  func missing() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let template = "{{ secret://s }}\n{{ secret://hush }}\n"
    let direct = try Self.filled(template, tool)
    #expect(direct.exitCode == 3)
    #expect(direct.output.isEmpty)
    #expect(direct.errorText.contains("line 2"))
    #expect(!direct.errorText.contains("hush"))
    try tool.home.write("old", to: "out")
    let names = try tool.home.names()
    let toFile = try tool.run("inject", "--out", tool.home.path("out"), input: .text(template))
    #expect(toFile.exitCode == 3)
    #expect(tool.home.contents(of: "out") == Array("old".utf8))
    #expect(try tool.home.names() == names)
  }

  @Test("the file is private, replaced whole, and nothing else is left beside it")
  func output() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let out = try tool.home.write("a longer text than the new one", to: "out", mode: 0o644)
    let names = try tool.home.names()
    let outcome = try tool.run("inject", "--out", out, input: .text("{{ secret://s }}"))
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty)
    #expect(tool.home.contents(of: "out") == Array("tok".utf8))
    #expect(try tool.home.mode(of: "out") == 0o600)
    #expect(try tool.home.names() == names)
    let same = try tool.run("inject", "--in", out, "--out", out)
    #expect(same.exitCode == 0)
    #expect(tool.home.contents(of: "out") == Array("tok".utf8))
  }

  @Test("only an ordinary file is replaced")
  func specialFiles() throws {
    let tool = try Tool.withVault()
    try tool.home.write("kept", to: "kept")
    let link = tool.home.path("link")
    #expect(unsafe symlink(tool.home.path("kept"), link) == 0)
    let pipe = tool.home.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [link, pipe, tool.home.path, "/dev/null"] {
      let outcome = try tool.run("inject", "--out", path, input: .text("x"))
      #expect(outcome.exitCode == 2, "\(path)")
      #expect(outcome.isOneErrorLine)
    }
    #expect(tool.home.contents(of: "kept") == Array("kept".utf8))
    let nowhere = try tool.run("inject", "--out", tool.home.path("none/x"), input: .text("x"))
    #expect(nowhere.exitCode == 1)
    #expect(nowhere.isOneErrorLine)
  }

  @Test("a template, and what becomes of it, has at most 16 MiB")
  func limit() throws {
    let tool = try Tool.withVault()
    let whole = try tool.home.write(Data(repeating: 0x78, count: 16 << 20), to: "whole")
    #expect(try tool.run("inject", "--in", whole).output.count == 16 << 20)
    let long = try tool.home.write(Data(repeating: 0x78, count: (16 << 20) + 1), to: "long")
    try tool.store(Array(repeating: 0x78, count: 1 << 20), "s")
    let growing = String(repeating: "{{secret://s}}", count: 17)
    for outcome in [try tool.run("inject", "--in", long), try Self.filled(growing, tool)] {
      #expect(outcome.exitCode == 17)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorText.contains("16 MiB"))
    }
  }

  @Test("without a reference no vault is opened")
  func plain() throws {
    let tool = try Tool()
    #expect(try Self.filled("{{ x }}", tool).text == "{{ x }}")
    #expect(try tool.home.names() == [])
  }
}
