import TestSupport
import Testing

/// What the formats hold without loss, and what they refuse.
@Suite("export: formats")
struct ExportFormatTests {
  /// Values that a careless writer would let a shell run, or lose.
  static let hostileValues =
    [
      "$(touch x)'\"", "'; touch x; '", "`touch x`", "\\", "\\'", "'", "''", "a\nb\n", "\n", "",
      " x ",
      "$HOME ${IFS}", "!! !x", "#", "-n", "~", "*", "a=b", "é\u{1B}[0m\u{1}\u{7F}\t\r",
    ].map { Array($0.utf8) } + [[0xFF, 0x27, 0xC3, 0x5C], (1...255).map { UInt8($0) }]

  @Test(
    "case 101: what sh sources is what was stored, and nothing of it runs",
    arguments: hostileValues
  )
  func shell(secret: [UInt8]) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "s", "A")
    let out = tool.home.path("out")
    #expect(
      try tool.run("export", "--format", "shell", "--service", "s", "--out", out).exitCode == 0
    )
    for shell in ["/bin/sh", "/bin/bash"] {
      let script = "cd \"$1\" && . ./out && printf %s \"$A\" && env | grep -c ^A="
      let sourced = try tool.run("-c", script, "sh", tool.home.path) { $0.executable = shell }
      #expect(sourced.output == secret + Array("1\n".utf8))
    }
    #expect(!tool.home.has("x"))
  }

  @Test("what env writes run reads; what it cannot hold is refused", arguments: hostileValues)
  func env(secret: [UInt8]) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "s", "A")
    let out = tool.home.path("out")
    let outcome = try tool.run("export", "--format", "env", "--service", "s", "--out", out)
    if secret.contains(0x0A) {
      #expect(outcome.exitCode == 2)
      #expect(!tool.home.has("out"))
    } else {
      #expect(outcome.exitCode == 0)
      let read = try tool.run("run", "--env-file", out, "--", "sh", "-c", "printf %s \"$A\"")
      #expect(read.output == secret)
    }
  }

  @Test("a value that a format cannot hold refuses the whole export, also to standard output")
  func unfitValues() throws {
    let tool = try Tool.withVault()
    try tool.store("first", "s", "A")
    for (secret, formats) in [
      ([0x78, 0x00], ["env", "shell"]), (Array("secret://a/b".utf8), ["env"]),
    ] {
      try tool.store(secret, "s", "B")
      for format in formats {
        let outcome = try tool.run("export", "--format", format, "--service", "s", "--stdout")
        #expect(outcome.exitCode == 2)
        #expect(outcome.isOneErrorLine)
        #expect(outcome.output.isEmpty)
      }
    }
  }

  @Test(
    "case 28, 101: an illegal name refuses the whole export",
    arguments: [
      "", "A;b", "1A", "A B", "A\nB", "A=", "$(touch x)", "é", "../../x", "A-B", "A.B",
    ]
  )
  func illegalNames(account: String) throws {
    let tool = try Tool.withVault()
    try tool.store("first", "s", "AA")
    try tool.store("hush", "s", account)
    let out = tool.home.path("out")
    let isKey = ["1A", "A-B", "A.B"].contains(account)
    for format in ["env", "shell"] + (isKey ? [] : ["k8s"]) {
      for place in [["--out", out], ["--stdout"]] {
        let words = ["export", "--format", format, "--service", "s"] + place
        let outcome = try tool.start(words).finish()
        #expect(outcome.exitCode == 2, "\(format)")
        #expect(outcome.isOneErrorLine)
        #expect(outcome.output.isEmpty)
        #expect(!tool.home.has("out"))
      }
    }
    #expect(try tool.run("export", "--format", "json", "--stdout").exitCode == 0)
    #expect(try tool.home.names() == [".local", "key"])
  }

  @Test(
    "case 101: a variable that a shell evaluates refuses the whole export",
    arguments: [
      "OPTIND", "RANDOM", "HISTCMD", "UID", "PS4", "PROMPT_COMMAND", "BASH_ENV", "MAILPATH",
      "prompt", "PROMPT_EOL_MARK",
    ]
  )
  func evaluatedNames(account: String) throws {
    let tool = try Tool.withVault()
    try tool.store("a[$(touch x)]", "s", account)
    let outcome = try tool.run("export", "--format", "shell", "--service", "s", "--stdout")
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(
      try tool.run("export", "--format", "env", "--service", "s", "--stdout").exitCode == 0
    )
  }

  @Test("k8s is the manifest of a Secret")
  func manifest() throws {
    let tool = try Tool.withVault()
    try tool.store([0xFF, 0, 0x27], "my.app-1", "tls.key")
    try tool.store("", "my.app-1", "true")
    try tool.store("tok", "my.app-1", "A")
    let outcome = try tool.run("export", "--format", "k8s", "--service", "my.app-1", "--stdout")
    #expect(
      outcome.text == """
        apiVersion: v1
        kind: Secret
        metadata:
          name: "my.app-1"
        type: Opaque
        data:
          "A": "dG9r"
          "tls.key": "/wAn"
          "true": ""

        """
    )
    for service in ["My App", "-a", "a..b", "a/b", "a\"\nb"] {
      try tool.store("tok", service, "A")
      let refused = try tool.run("export", "--format", "k8s", "--service", service, "--stdout")
      #expect(refused.exitCode == 2, "\(service)")
      #expect(refused.output.isEmpty)
    }
  }

  @Test("two items of one name are 4")
  func ambiguousNames() throws {
    let tool = try Tool.withVault()
    try tool.store("one", "s", "A")
    let other = try tool.run("set", "s", "A", "--synchronizable", input: .text("two"))
    #expect(other.exitCode == 0)
    let outcome = try tool.run("export", "--format", "env", "--service", "s", "--stdout")
    #expect(outcome.exitCode == 4)
    #expect(outcome.output.isEmpty)
  }
}
