import Testing

@testable import SecretVault

@Suite("Paths in the commands that messages give")
struct ShellWordTests {
  @Test(
    "a path stands in a command as one word",
    arguments: [
      ("/a/b.vault", "/a/b.vault"), ("/a b/c", "'/a b/c'"), ("/it's", #"'/it'\''s'"#),
      ("-x", "./-x"), ("-x y", "'./-x y'"), ("/$(x)`", "'/$(x)`'"), ("/ü", "'/ü'"),
      ("/a\nb", "FILE"), ("/\u{1B}[2J", "FILE"), ("", "FILE"),
    ]
  )
  func shellWord(_ path: String, _ word: String) {
    #expect(ShellWord.of(path, "FILE") == word)
  }
}
