import Foundation
import SecretVault
import TestSupport
import Testing

/// One `close` of the vault file outside SQLite would drop the locks that SQLite holds on it.
@Suite(
  "Who opens the vault file",
  .enabled(
    if: SystemCallTracer.readsArguments,
    "strace is missing, or it may not read the tool's memory: this needs root"
  )
)
struct VaultPathTests {
  private let vault: ProcessVault

  init() throws { vault = try ProcessVault(empty: ()) }

  @Test("C-12: nothing but SQLite opens the vault, its log or its index, in a whole session")
  func session() throws {
    let all = try sessionOfEveryVerb().flatMap { try openings(by: $0) }
    let ofVault = all.filter { $0.name.hasPrefix("test.vault") && $0.name != "test.vault.lock" }
    let made = ofVault.filter { $0.flags.contains("O_EXCL") }
    let others = ofVault.filter { !$0.flags.contains("O_EXCL") }
    #expect(made.map(\.name) == ["test.vault.unfinished"])
    #expect(others.count(where: { $0.name == "test.vault" }) >= 10)
    #expect(others.filter { !$0.isFromSQLite } == [])
  }

  private func sessionOfEveryVerb() -> [ChildProcess.Request] {
    let item = ["api.example.com", "alice"]
    return [
      vault.tool("init"), vault.tool("add", item[0], item[1], input: .text("token")),
      vault.tool("set", item[0], item[1], input: .text("another")),
      vault.tool("get", item[0], item[1]), vault.tool("show", item[0], item[1]),
      vault.tool("list"), vault.tool("search", "api"),
      vault.tool("edit", item[0], item[1], "--label", "a label"),
      vault.tool("rename", item[0], item[1], "--to-account", "bob"),
      vault.tool("slot", "list"),
      vault.tool("slot", "add", "--generate-key-file", vault.folder.path("second key")),
      vault.tool("check"), vault.tool("delete", item[0], "bob"),
    ]
  }

  /// One opening of a file.
  private struct Opening: Equatable {
    /// The last part of the path.
    let name: String
    let flags: String
    /// Whether a function of SQLite's library asked for it.
    let isFromSQLite: Bool
  }

  /// Runs a program and returns what it opened, with the call stack's word on who did.
  private func openings(by request: ChildProcess.Request) throws -> [Opening] {
    let trace = vault.folder.path("trace")
    let calls = "open,openat,openat2,creat"
    try SystemCallTracer.record(calls, of: request, to: trace, ["-k"]).runToSuccess()
    var openings: [Opening] = []
    var call: Substring?
    var isFromSQLite = false
    let end: [Substring] = ["end()"]
    for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") + end {
      if line.hasPrefix(" > ") {
        isFromSQLite = isFromSQLite || line.contains("libsqlite3")
      } else if line.contains("(") {
        if let call { openings.append(opening(call, isFromSQLite)) }
        (call, isFromSQLite) = (line, false)
      }
    }
    return openings
  }

  private func opening(_ call: Substring, _ isFromSQLite: Bool) -> Opening {
    let path = call.split(separator: "\"").dropFirst().first ?? ""
    let name = path.split(separator: "/").last ?? ""
    return Opening(name: String(name), flags: String(call), isFromSQLite: isFromSQLite)
  }
}
