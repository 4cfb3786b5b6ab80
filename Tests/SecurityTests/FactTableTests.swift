import Foundation
import Testing

/// Every fact of the keychain's behaviour has its line in the documentation, and the test that it names exists.
@Suite("The table of facts")
struct FactTableTests {
  private struct Fact {
    let id: String
    let verdict: String
    let test: String
  }

  /// How many facts each section has.
  private static let counts: [(section: String, count: Int)] = [
    ("1.1", 11), ("1.2", 38), ("1.3", 3), ("1.4", 3), ("2", 15), ("3.1", 8), ("3.2", 7),
    ("3.3", 26), ("4.1", 21), ("4.2", 13), ("4.3", 11), ("4.4", 5), ("4.5", 4), ("5.1", 21),
    ("5.2", 10), ("6", 21), ("7", 12),
  ]

  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let documentation = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Security/Security.docc")

  private static func facts() throws -> [Fact] {
    let table = documentation.appending(path: "keychain-facts.md")
    let text = try String(contentsOf: table, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].first?.isNumber == true else { return nil }
      return Fact(id: cells[0], verdict: cells[2], test: cells[3])
    }
  }

  @Test("has one line for each fact, in order")
  func everyFact() throws {
    let expected = Self.counts.flatMap { section, count in
      (1...count).map { "\(section).\($0)" }
    }
    #expect(try Self.facts().map(\.id) == expected)
  }

  @Test("says of each fact whether it is the same, a chosen reading, or why it is not offered")
  func verdicts() throws {
    for fact in try Self.facts() {
      let isNotOffered = fact.verdict.hasPrefix("not offered (") && fact.verdict.hasSuffix(")")
      #expect(["same", "chosen reading"].contains(fact.verdict) || isNotOffered, "\(fact.id)")
      #expect(fact.test != "none" || isNotOffered, "\(fact.id) has no test")
    }
  }

  @Test("has a decision for each chosen reading")
  func decisions() throws {
    let page = Self.documentation.appending(path: "decisions.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let named = Set(text.matches(of: #/\d(?:\.\d+)+/#).map { String($0.0) })
    let chosen = try Self.facts().filter { $0.verdict == "chosen reading" }
    #expect(chosen.filter { !named.contains($0.id) }.map(\.id) == [])
  }

  @Test("names tests that exist")
  func namedTests() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.tests.path)
    let sources = try files.filter { $0.hasSuffix(".swift") }.map { file in
      try String(contentsOf: Self.tests.appending(path: file), encoding: .utf8)
    }
    let names = #/@Test\(\s*"((?:[^"\\]|\\.)*)"/#
    let found = Set(
      sources.flatMap { source in source.matches(of: names).map { String($0.1) } }
    )
    let named = try Self.facts().filter { $0.test != "none" }
    #expect(named.filter { !found.contains($0.test) }.map(\.test) == [])
    #expect(named.count > 200)
  }
}
