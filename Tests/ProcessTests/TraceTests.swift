import Foundation
import SecretVault
import TestSupport
import Testing

/// What the kernel sees of a secret: standard output of the command that was asked for it, and no more.
@Suite(
  "Secrets in system calls",
  .enabled(
    if: SystemCallTracer.readsArguments,
    "strace is missing, or it may not read the tool's memory: this needs root"
  )
)
struct TraceTests {
  private let vault: ProcessVault
  private let secret = "cobalt-otter-4417-secret"
  private let passphrases = ["saffron-ibex-5106-old", "saffron-ibex-5106-new"]
  private let names = ["umber-lynx-2203.example", "umber-lynx-2203-account"]

  init() throws { vault = try ProcessVault(empty: ()) }

  @Test("P-7: no secret is in a write, an argument or an environment of a whole session")
  func session() throws {
    let old = try vault.folder.write(passphrases[0], to: "old")
    let new = try vault.folder.write(passphrases[1], to: "new")
    let key = try String(contentsOfFile: vault.keyPath, encoding: .utf8)
    let hidden = [secret, key.trimmingCharacters(in: .newlines)] + passphrases
    let commands = [
      ["init", "--passphrase-file", old, "--key-file", vault.keyPath, "--either"],
      ["set", names[0], names[1]], ["add", names[0], "other"], ["list"],
      ["edit", names[0], names[1]],
      ["rename", names[0], names[1], "--to-account", "bob"], ["delete", names[0], "other"],
      ["check"],
      ["passphrase", "--passphrase-file", old, "--new-passphrase-file", new],
      ["get", names[0], "wrong"],
    ]
    for command in commands {
      let calls = try calls(of: vault.tool(words: command, input: .text(secret)))
      #expect(calls.count > 1)
      #expect(calls.filter { call in hidden.contains(where: call.shows) }.map(\.name) == [])
    }
    let get = try calls(of: vault.tool("get", names[0], "bob"))
    #expect(get.filter { $0.shows(secret) }.map(\.name) == ["write(1"])
  }

  @Test("P-7: no name is in a write, but for what a listing prints")
  func listing() throws {
    try vault.tool("init").runToSuccess()
    let set = try calls(of: vault.tool("set", names[0], names[1], input: .text(secret)))
    #expect(set.filter { names.contains(where: $0.shows) }.map(\.name) == ["execve("])
    let list = try calls(of: vault.tool("list"))
    #expect(list.filter { names.contains(where: $0.shows) }.map(\.name) == ["write(1"])
  }

  @Test("P-7: the tour gives its children neither secret nor passphrase as argument or variable")
  func tour() throws {
    let calls = try calls(of: vault.tool("tour"))
    let starts = calls.filter { $0.name == "execve(" }
    #expect(starts.count > 10)
    #expect(starts.filter { $0.shows("tok", asWhole: true) }.isEmpty)
    let passphrases = calls.filter { $0.isWrite }.compactMap(\.words)
    #expect(passphrases.count >= 2)
    #expect(starts.filter { start in passphrases.contains(where: start.shows) }.isEmpty)
  }

  /// Runs a program and returns what it and its children wrote and were started with.
  private func calls(of request: ChildProcess.Request) throws -> [TracedCall] {
    let trace = vault.folder.path("trace")
    let calls = "write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,execve"
    let options = ["-xx", "-v", "-s", "2000000"]
    _ = try SystemCallTracer.record(calls, of: request, to: trace, options).run()
    return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      .compactMap(TracedCall.init)
  }
}

/// One call of a trace whose strings are all written as hexadecimal digits.
private struct TracedCall {
  /// The call, and for a write its descriptor.
  let name: String
  private let line: Substring

  init?(_ line: Substring) {
    guard let call = line.split(separator: " ").dropFirst().first, call.contains("(") else {
      return nil
    }
    let isWrite = call.contains("write")
    name = String(isWrite ? call.prefix { $0 != "," } : call.prefix { $0 != "(" } + "(")
    self.line = line
  }

  var isWrite: Bool { name.contains("write") }

  func shows(_ text: String) -> Bool { line.contains(Self.digits(text)) }

  /// Whether a text is a whole argument, or the whole value of a variable.
  func shows(_ text: String, asWhole: Bool) -> Bool {
    let digits = Self.digits(text)
    return line.contains("\"\(digits)\"") || line.contains("\\x3d\(digits)\"")
  }

  /// The text of the call's string if that is six words joined by hyphens, as a generated passphrase is.
  var words: String? {
    let string = line.split(separator: "\"").dropFirst().first ?? ""
    let bytes = string.split(separator: "\\x").compactMap { UInt8($0, radix: 16) }
    let text = String(decoding: bytes, as: UTF8.self)
    let isWords = text.allSatisfy { $0 == "-" || $0 == " " || $0.isLowercase }
    return isWords && text.count > 20 ? text : nil
  }

  private static func digits(_ text: String) -> String {
    text.utf8.map { String(format: "\\x%02x", $0) }.joined()
  }
}
