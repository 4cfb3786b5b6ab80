import SecretMemory
import SecretVault
import TestSupport
import Testing

/// A stretch of random bytes somewhere in a longer secret.
struct PlantedPattern: Codable, Sendable {
  let byteCount: Int
  let offset: Int

  /// Makes the secret; its other bytes are zero.
  func secret(with pattern: MaskedPattern) throws -> SecretBytes {
    try SecretBytes(count: byteCount) { pattern.write(to: &$0, at: offset) }
  }
}

/// What a user gives or gets is in memory while somebody holds it, and nowhere afterwards.
@Suite("Residue of secrets in memory")
struct SecretMemoryResidueTests {
  // The whole secret, the parts that hashes and ciphers buffer, and a stretch across two chunks.
  static let patterns = [
    PlantedPattern(byteCount: 32, offset: 0), PlantedPattern(byteCount: 100, offset: 0),
    PlantedPattern(byteCount: 100, offset: 68), PlantedPattern(byteCount: 40_000, offset: 16_370),
    PlantedPattern(byteCount: 40_000, offset: 39_968),
  ]

  @Test(
    "P-5: a secret is gone once it is stored, in memory once when read, and gone when released",
    arguments: patterns
  )
  func setAndGet(planted: PlantedPattern) async {
    await #expect(processExitsWith: .success) { [planted = planted as PlantedPattern] in
      let vault = try TemporaryVault()
      let store = try vault.create()
      let item = ItemIdentity(service: "api.example.com")
      let pattern = MaskedPattern(randomByteCount: 32)
      try store.set(planted.secret(with: pattern), for: item)
      try store.update(item) { _, secret in secret = try planted.secret(with: pattern) }
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      var held = try store.secret(for: item)
      let found = try MemoryScanner.occurrences(of: pattern)
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.mapping.flags.isSuperset(of: ["lo", "dd", "wf"]) })
      #expect(held?.count == planted.byteCount)
      held = nil
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      #expect(try store.remove(item))
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("P-5: nothing is left of a secret whose box fails its last tag", arguments: patterns)
  func failedOpening(planted: PlantedPattern) async {
    await #expect(processExitsWith: .success) { [planted = planted as PlantedPattern] in
      let vault = try TemporaryVault()
      let item = ItemIdentity(service: "api.example.com")
      let pattern = MaskedPattern(randomByteCount: 32)
      try vault.createClosed { store in try store.set(planted.secret(with: pattern), for: item) }
      var raw = try vault.raw().items()[0]
      raw.secret[raw.secret.count - 1] ^= 1
      try vault.raw().putBox(raw)
      let store = try vault.openUnlocked()
      #expect(throws: VaultError(.tampered)) { try store.secret(for: item) }
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("P-5: nothing is left of a passphrase after it was refused, added, accepted and replaced")
  func passphrases() async {
    await #expect(processExitsWith: .success) {
      let vault = try TemporaryVault()
      let store = try vault.create()
      let pattern = MaskedPattern(randomByteCount: 32)
      let planted = PlantedPattern(byteCount: 32, offset: 0)
      try store.administration(with: vault.credential).addSlot(.passphrase("another"))
      #expect(throws: VaultError(.credentialRejected)) {
        try vault.open().unlock(with: .passphrase(planted.secret(with: pattern)))
      }
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      var slot =
        SecretStore.NewSlot(.passphrase(try planted.secret(with: pattern))) as SecretStore.NewSlot?
      slot?.log2N = 15
      if let slot { try store.administration(with: vault.credential).addSlot(slot) }
      slot = nil
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      let other = try vault.open()
      try other.unlock(with: .passphrase(planted.secret(with: pattern)))
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      do {
        let administration = try other.administration(
          with: .passphrase(planted.secret(with: pattern))
        )
        _ = try administration.changePassphrase(to: SecretBytes("a new one"), log2N: 15)
      }
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("P-5: nothing is left of a key file after an unlock, neither its line nor its key")
  func keyFile() async {
    await #expect(processExitsWith: .success) {
      let vault = try TemporaryVault()
      let path = vault.folder + "/second key"
      var patterns: [MaskedPattern] = []
      do {
        let line = try Credential.makeKeyFile()
        try line.write(toNewPrivateFile: path)
        patterns.append(line.withBytes { MaskedPattern(of: $0.extracting(8..<40)) })
        patterns.append(KeyPatterns.pattern(of: try Insider.fileKey(line)))
      }
      try vault.createClosed(alsoProtectedBy: [SecretStore.NewSlot(.keyFile(at: path))])
      for pattern in patterns { #expect(try MemoryScanner.occurrences(of: pattern).isEmpty) }
      let store = try vault.open()
      try store.unlock(with: .keyFile(at: path))
      #expect(store.lockState == .unlocked)
      for pattern in patterns { #expect(try MemoryScanner.occurrences(of: pattern).isEmpty) }
    }
  }
}
