import Foundation
import Glibc
import TestSupport
import Testing

/// What a program gets of a run, and its caller of the program.
@Suite("run")
struct RunTests {
  /// What a program that a shell script describes makes of a run.
  private static func run(
    _ script: String,
    _ options: [String] = [],
    _ tool: Tool
  ) throws -> ChildProcess.Outcome {
    try tool.start(["run"] + options + ["--", "sh", "-c", script]).finish()
  }

  @Test("case 97: the exit code is the program's own; a parent shell sees 143 after SIGTERM")
  func exitCodes() throws {
    let tool = try Tool.withVault()
    for code in [0, 1, 3, 125, 255] {
      #expect(try Self.run("exit \(code)", [], tool).exitCode == Int32(code))
    }
    #expect(try Self.run("kill -TERM $$", [], tool).signal == SIGTERM)
    let shell = try tool.run("-c", "\"$0\" run -- sh -c 'kill -TERM $$'; echo $?", Tool.executable)
    {
      $0.executable = "/bin/sh"
    }
    #expect(shell.text == "143\n")
  }

  @Test(
    "values arrive byte for byte",
    arguments: [
      "plain", "", "two\nlines\n", "\n", "'", "\"", "$HOME `id` $(id) ${x}", "a=b=c", "\\n \\",
      " x ",
      "-n", "%s%d", "\u{1}\u{1B}[31m\u{7F}", "été", "secret://a/b", "{{ x }}", "\r\n",
    ].map { Array($0.utf8) } + [[0xFF, 0xC3, 0x28], Array(repeating: 0x78, count: 100_000)]
  )
  func values(secret: [UInt8]) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "s", "a")
    let outcome = try Self.run("printf %s \"$A\"; printf .", ["--env", "A=secret://s/a"], tool)
    #expect(outcome.output == secret + [UInt8(ascii: ".")])
  }

  @Test("case 100: arguments are passed on untouched, no shell between")
  func arguments() throws {
    let tool = try Tool.withVault()
    let words: [[UInt8]] =
      ["a $b", "", "--quiet", "--", "-h", "*", "'\"", "a\nb"].map { Array($0.utf8) } + [
        [0xFF, 0x41]
      ]
    let outcome = try tool.run("run", "--", "printf", "<%s>") { $0.arguments += words }
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == words.flatMap { [0x3C] + $0 + [0x3E] })
    #expect(try tool.run("run", "--", "printf", "%s", "a $b").text == "a $b")
  }

  @Test("case 98: the program is the process that was started, and gets the signals")
  func sameProcess() throws {
    let tool = try Tool.withVault()
    let process = try tool.start(["run", "--", "sh", "-c", "echo $$"])
    let outcome = try process.finish()
    #expect(outcome.text == "\(process.identifier)\n")
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let sleeper = try tool.start(["run", "--", "sleep", "600"])
      try waitUntil { Self.isProgram("sleep", sleeper.identifier) }
      sleeper.send(signal)
      #expect(try sleeper.finish().signal == signal)
    }
  }

  @Test("the program gets mask, limits, signals and descriptors as the caller gave them")
  func callerSettings() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let probe = """
      umask; ulimit -Sc; ulimit -Hc; grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; ls /proc/self/fd
      """
    let callers = [
      "umask 027; trap '' INT; ulimit -Sc 7 2> /dev/null",
      "umask 000; trap '' PIPE QUIT TERM",
      "umask 077; exec < /dev/null 9< /dev/null", "exec <&-", "exec 2>&-",
    ]
    for caller in callers {
      let direct = try shell("\(caller); exec sh -c \"$1\"", probe, tool)
      let run = "exec \"$0\" run --env A=secret://s -- sh -c \"$1\""
      let through = try shell("\(caller); \(run)", probe, tool)
      #expect(!direct.output.isEmpty)
      #expect(through.text == direct.text, "\(caller)")
    }
  }

  @Test(
    "a descriptor that the credential came from is not the program's, and standard input is empty then"
  )
  func credentialDescriptors() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let key = try #require(tool.home.contents(of: "key"))
    try tool.home.write("passphrase", to: "passphrase")
    let reader = tool.withoutCredential
    let made = try reader.run(
      "slot",
      "add",
      "--key-file",
      tool.home.path("key"),
      "--new-passphrase-fd",
      "7"
    ) {
      $0.descriptors[7] = Array("a passphrase".utf8)
    }
    #expect(made.exitCode == 0)
    #expect(!key.isEmpty)
    let words = ["run", "--env", "A=secret://s", "--passphrase-fd"]
    let numbered = try reader.start(words + ["5", "--", "ls", "/proc/self/fd"]) {
      $0.descriptors[5] = Array("a passphrase".utf8)
    }.finish()
    #expect(numbered.exitCode == 0)
    #expect(!numbered.text.split(separator: "\n").contains("5"))
    try tool.home.write("a passphrase", to: "file")
    let standard = try reader.start(
      words + ["0", "--", "sh", "-c", "cat /dev/stdin; cat; printf %s \"$A\""],
      input: .file(tool.home.path("file"))
    ).finish()
    #expect(standard.text == "tok")
  }

  @Test("a secret is in the environment of the program alone, and in no argument")
  func onlyInTheProgram() throws {
    let tool = try Tool.withVault()
    let secret = "cobalt-otter-\(UInt64.random(in: .min ... .max))"
    try tool.store(secret, "s")
    let process = try tool.start(["run", "--env", "A=secret://s", "--", "sleep", "600"])
    defer { _ = try? process.finish() }
    defer { process.send(SIGKILL) }
    try waitUntil { Self.isProgram("sleep", process.identifier) }
    for number in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let identifier = pid_t(number) else { continue }
      let environment = Self.text("/proc/\(identifier)/environ")
      #expect(environment.contains(secret) == (identifier == process.identifier))
      #expect(!Self.text("/proc/\(identifier)/cmdline").contains(secret))
    }
  }

  @Test("a value that is more than a program can get is 125 and says so")
  func tooLong() throws {
    let tool = try Tool.withVault()
    try tool.store(Array(repeating: 0x78, count: 200_000), "s")
    let outcome = try Self.run("echo started", ["--env", "A=secret://s"], tool)
    #expect(outcome.exitCode == 125)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorText.contains("inject"))
  }

  @Test("without a reference no vault is opened")
  func withoutReference() throws {
    let tool = try Tool()
    #expect(try tool.run("run", "--", "echo", "x").text == "x\n")
    #expect(try tool.home.names() == [])
  }

  /// Runs a script of `sh`, in which `$0` is the tool and `$1` the argument.
  private func shell(
    _ script: String,
    _ argument: String,
    _ tool: Tool
  ) throws -> ChildProcess.Outcome {
    try tool.run("-c", script, Tool.executable, argument) { $0.executable = "/bin/sh" }
  }

  private static func isProgram(_ name: String, _ identifier: pid_t) -> Bool {
    text("/proc/\(identifier)/comm") == name + "\n"
  }

  /// What a file of `/proc` says, with zero bytes as they are; nothing where it cannot be read.
  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
