import Foundation
import SecretVault
import TestSupport
import Testing

/// Nothing that a user stores or names is readable in any file that the tool writes.
@Suite("Residue in files")
struct FileResidueTests {
  private let vault: ProcessVault
  private let watched: [String]

  // Long and unlike any word, so that none of their forms is found by chance.
  private let secrets = ["cobalt-otter-4417-secret", "velvet-heron-9382-secret"]
  private let names = [
    "umber-lynx-2203.example", "umber-lynx-2203-account", "umber-lynx-renamed-account",
    "umber-lynx-2203-label", "umber-lynx-2203-comment", "umber-lynx-2203-group",
  ]
  private let passphrase = "saffron-ibex-5106-passphrase"

  init() throws {
    vault = try ProcessVault(empty: ())
    watched = ["home", "state", "tmp"].map(vault.folder.path)
    for folder in watched {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
      )
    }
  }

  @Test("P-1: at no moment of a session is a secret, a name or a passphrase in a file, in any form")
  func session() throws {
    let forms = SecretForms(of: secrets + names + [passphrase])
    let passphraseFile = try vault.folder.write(passphrase, to: "passphrase")
    let watch = FolderWatch(watched, for: forms)
    let creation = ["--passphrase-file", passphraseFile, "--key-file", vault.keyPath, "--either"]
    try run(["init", "--group", names[5]] + creation)
    for _ in 0..<5 {
      try run(["add", names[0], names[1], "--label", names[3]], input: secrets[0])
      try run(["set", names[0], names[1], "--comment", names[4]], input: secrets[1])
      try run(["edit", names[0], names[1], "--label", names[4]])
      try run(["rename", names[0], names[1], "--to-account", names[2]])
      #expect(try run(["get", names[0], names[2]]).text == secrets[1])
      try run(["search", names[3]])
      try run(["delete", names[0], names[2]])
    }
    let (roundCount, paths) = watch.end()
    #expect(roundCount > 5)
    #expect(paths == [])
  }

  @Test("P-1: the search finds a text in each of its forms")
  func searchFinds() throws {
    let forms = SecretForms(of: [secrets[0]])
    let bytes = Data(secrets[0].utf8)
    let base64 = (Data([7]) + bytes + Data([7])).base64EncodedData()
    let digits = bytes.map { String(format: "%02X", $0) }.joined()
    for form in [bytes, base64, Data(digits.utf8), secrets[0].data(using: .utf16) ?? Data()] {
      #expect(forms.isFound(in: Data([0]) + form))
    }
    #expect(!forms.isFound(in: bytes.dropLast()))
    try vault.folder.write(secrets[0], to: "tmp/planted")
    let watch = FolderWatch(watched, for: forms)
    #expect(watch.end().paths == [vault.folder.path("tmp/planted")])
  }

  @discardableResult
  private func run(_ words: [String], input: String = "") throws -> ChildProcess.Outcome {
    var request = vault.tool(words: words, input: .text(input))
    request.environment["TMPDIR"] = vault.folder.path("tmp")
    return try request.runToSuccess()
  }
}
