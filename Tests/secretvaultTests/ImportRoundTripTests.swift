import Foundation
import TestSupport
import Testing

/// What export writes, import reads.
@Suite("import: round trips")
struct ImportRoundTripTests {
  private func exported(_ tool: Tool) throws -> [UInt8] {
    let outcome = try tool.run("export", "--format", "json", "--stdout")
    #expect(outcome.exitCode == 0)
    return outcome.output
  }

  @Test("export, import, export is equal byte for byte, binary and empty secrets included")
  func json() throws {
    let first = try Tool.withVault()
    let secrets: [[UInt8]] = [
      [], [0], Array(0...255), Array("\u{7F}\"\\\n/ä😀\u{2028}".utf8), [0xC3],
    ]
    for (index, secret) in secrets.enumerated() {
      try first.store(secret, "s\(index)", "a\t\u{1}ä")
    }
    let attributes = [
      "--label", "L\"\n", "--comment", "c\u{7}", "--accessibility", "afterFirstUnlock",
      "--expires", "2199-12-31", "--history", "7", "--revalidate",
    ]
    #expect(try first.start(["set", "x"] + attributes, input: .text("y")).finish().exitCode == 0)
    #expect(try first.run("set", "x", "--synchronizable", input: .text("z")).exitCode == 0)
    let file = try first.home.write(ImportSample.json.bytes, to: "sample")
    #expect(try first.run("import", file).exitCode == 0)
    let export = try exported(first)

    let second = try Tool.withVault()
    let copy = try second.home.write(export, to: "export.json")
    let outcome = try second.run("import", copy)
    #expect(outcome.exitCode == 0)
    #expect(try exported(second) == export)
    let again = try second.run("import", copy, "--replace")
    #expect(again.text.split(separator: "\n").allSatisfy { $0.hasPrefix("unchanged") })
    #expect(try exported(second) == export)
  }

  @Test("an export that another program wrote anew, with other escapes and spaces, is the same")
  func rewritten() throws {
    let first = try Tool.withVault()
    for (index, secret) in [Array("ä😀/\n".utf8), [0xFB, 0xFF, 0xFE]].enumerated() {
      try first.store(secret, "s\(index)")
    }
    let export = try exported(first)
    let object = try JSONSerialization.jsonObject(with: Data(export))
    let rewritten = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
    let second = try Tool.withVault()
    #expect(try second.run("import", "-", input: .bytes(Array(rewritten))).exitCode == 0)
    #expect(try exported(second) == export)
  }

  @Test("an exported environment file comes back, quotes and dollars included")
  func environment() throws {
    let first = try Tool.withVault()
    let secrets = ["A": "'x'", "B": "$HOME `id` \\", "C": "", "D": " spaces \t", "E": "a=b#c"]
    for (name, secret) in secrets { try first.store(secret, "app", name) }
    let export = try first.run("export", "--format", "env", "--service", "app", "--stdout")
    #expect(export.exitCode == 0)
    let second = try Tool.withVault()
    let outcome = try second.run("import", "-", "--service", "app", input: .bytes(export.output))
    #expect(outcome.exitCode == 0)
    for (name, secret) in secrets { #expect(try second.secretText("app", name) == secret) }
  }
}
