import TestSupport
import Testing

@Suite("generate")
struct GenerateTests {
  @Test("24 letters and digits by default, or as many as asked for, never the same")
  func characters() throws {
    let tool = try Tool()
    let first = try tool.run("generate").text
    #expect(first.wholeMatch(of: /[A-Za-z0-9]{24}/) != nil)
    #expect(try tool.run("generate").text != first)
    #expect(try tool.run("generate", "4096").text.count == 4096)
    #expect(try tool.run("generate", "3", "--newline").text.count == 4)
  }

  @Test("every letter and digit turns up about equally often")
  func distribution() throws {
    let tool = try Tool()
    var counts: [Character: Int] = [:]
    for _ in 0..<8 {
      for character in try tool.run("generate", "4096").text { counts[character, default: 0] += 1 }
    }
    #expect(counts.count == 62)
    // 32 768 draws of 62: 528 on average with a deviation of 23; a biased remainder would give the
    // first eight of the alphabet 640.
    #expect(counts.values.allSatisfy { (400...620).contains($0) })
  }

  @Test("words are speakable, of five letters, joined with hyphens")
  func words() throws {
    let tool = try Tool()
    let words = try tool.run("generate", "--words", "100").text.split(separator: "-")
    #expect(words.count == 100)
    #expect(Set(words).count > 90)
    let shape = /[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]/
    #expect(words.allSatisfy { $0.wholeMatch(of: shape) != nil })
  }

  @Test("--json gives it as a secret, and nothing is stored")
  func json() throws {
    let tool = try Tool()
    let document = try tool.run("generate", "--json").json()
    let secret = try #require(document["secret"] as? [String: String])
    #expect(secret["encoding"] == "utf8")
    #expect(secret["value"]?.count == 24)
    #expect(try tool.home.names() == [])
  }
}
