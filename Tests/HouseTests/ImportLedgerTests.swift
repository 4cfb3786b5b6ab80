import Foundation
import Testing

/// What each target may import, since the package manager does not notice an import that skips a floor.
private let ledger: [String: Set<String>] = [
  "SecretMemory": ["COpenSSL", "Glibc", "Synchronization"],
  "VaultFormat": [],
  "VaultCrypto": ["COpenSSL", "CLinux", "SecretMemory", "Glibc", "Synchronization"],
  "VaultDatabase": ["CSQLite", "Glibc"],
  "SecretVault": [
    "SecretMemory", "VaultFormat", "VaultCrypto", "VaultDatabase", "CLinux", "Dispatch", "Glibc",
    "Synchronization",
  ],
  "VaultAgent": [
    "SecretVault", "SecretMemory", "CLinux", "Dispatch", "Glibc", "Synchronization",
  ],
  // The keychain's values are Foundation's; no other part of the product imports it.
  "Security": ["SecretVault", "Foundation", "Synchronization"],
  "secretvault": ["SecretVault", "VaultAgent", "CLinux", "Glibc", "Synchronization"],
  "Benchmark": [
    "SecretVault", "Security", "CSQLite", "COpenSSL", "CLinux", "Glibc", "Dispatch",
    "Synchronization",
  ],
]

/// Words of one room that no other room may speak.
private let roomOfWord: [(word: String, room: String)] = [
  ("sqlite3_", "VaultDatabase/SQLite/"),
  ("EVP_", "/OpenSSL/"),
  ("ERR_", "/OpenSSL/"),
  ("mlock(", "SecretMemory/"),
  ("CRYPTO_memcmp", "SecretMemory/"),
  ("OPENSSL_cleanse", "SecretMemory/"),
]

@Suite("The house")
struct ImportLedgerTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  private static func swiftFiles() throws -> [(path: String, lines: [Substring])] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// The module of an import line, or nil for any other line.
  private static func importedModule(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let index = words.firstIndex(of: "import"),
      words[..<index].allSatisfy({
        ["public", "package", "internal", "private", "fileprivate", "@_exported", "@testable"]
          .contains($0)
      })
    else { return nil }
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias"]
    let name = words[(index + 1)...].first { !kinds.contains($0) }
    return name?.split(separator: ".").first.map(String.init)
  }

  @Test("every import is in the ledger of its target")
  func imports() throws {
    var targets: Set<String> = []
    for (path, lines) in try Self.swiftFiles() {
      let target = String(path.prefix { $0 != "/" })
      targets.insert(target)
      let allowed = try #require(ledger[target], "no ledger for \(target)")
      for line in lines {
        guard let module = Self.importedModule(line) else { continue }
        #expect(allowed.contains(module), "\(path) imports \(module)")
      }
    }
    #expect(targets.isSuperset(of: ["SecretMemory", "VaultFormat", "SecretVault", "secretvault"]))
  }

  @Test("a system library's words are spoken in one room each")
  func rooms() throws {
    for (path, lines) in try Self.swiftFiles() where !path.hasPrefix("Benchmark/") {
      for (word, room) in roomOfWord where !path.contains(room) {
        let speaks = lines.contains { line in
          line.replacing("STDERR_FILENO", with: "").contains(word)
            && !line.drop { $0 == " " }.hasPrefix("//")
        }
        let isMemoryInCipher = room == "SecretMemory/" && path.contains("/OpenSSL/")
        #expect(!speaks || isMemoryInCipher, "\(path) says \(word)")
      }
    }
  }

  @Test("nothing in the product traps on purpose or forces an unwrap")
  func traps() throws {
    for (path, lines) in try Self.swiftFiles() where !path.hasPrefix("Benchmark/") {
      for line in lines {
        for word in ["try!", "fatalError(", "preconditionFailure(", "as! "] {
          #expect(!line.contains(word), "\(path): \(line)")
        }
      }
    }
  }
}
