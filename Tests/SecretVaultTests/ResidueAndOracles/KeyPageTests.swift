import SecretVault
import TestSupport
import Testing

/// The keys that a store or an administration holds are in pages that are never swapped out or dumped.
@Suite("Pages of keys")
struct KeyPageTests {
  @Test(
    "P-6: after an unlock every copy of every key is in a locked page that is left out of cores"
  )
  func afterUnlock() async {
    await #expect(processExitsWith: .success) {
      let vault = try TemporaryVault()
      try vault.createClosed()
      let store = try vault.openUnlocked()
      let administration = try store.administration(with: vault.credential)
      for pattern in try patternsOfHeldKeys(of: vault) {
        let found = try MemoryScanner.occurrences(of: pattern)
        #expect(!found.isEmpty)
        for occurrence in found { #expect(isProtected(occurrence)) }
      }
      administration.end()
    }
  }

  @Test("P-6: keys in use have no copy elsewhere, and after a close none at all")
  func inUse() async {
    await #expect(processExitsWith: .success) {
      let vault = try TemporaryVault()
      let store = try vault.create(alsoProtectedBy: [.passphrase("correct horse")])
      for accessibility in Accessibility.allCases {
        let item = ItemIdentity(service: accessibility.rawValue)
        try store.set(SecretBytes("token"), for: item, accessibility: accessibility)
        #expect(try store.secret(for: item)?.text == "token")
      }
      let administration = try store.administration(with: vault.credential)
      for pattern in try patternsOfHeldKeys(of: vault) {
        let found = try MemoryScanner.occurrences(of: pattern)
        #expect(!found.isEmpty)
        for occurrence in found { #expect(isProtected(occurrence)) }
      }
      administration.end()
      store.close()
      for pattern in try patternsOfHeldKeys(of: vault) {
        #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      }
    }
  }
}

private func isProtected(_ occurrence: MemoryScanner.Occurrence) -> Bool {
  occurrence.mapping.flags.isSuperset(of: ["lo", "dd"])
}

/// The root key, the two keys of the group that are kept, and the leaves of every class.
private func patternsOfHeldKeys(of vault: TemporaryVault) throws -> [MaskedPattern] {
  let child = ChildVault(vault)
  let known = try KeyPatterns(child)
  let keys = try DerivedKeys(child)
  let leaves = try Accessibility.allCases.flatMap { accessibility in
    try [true, false].map { isAttributes in
      KeyPatterns.pattern(of: try keys.leaf(accessibility, isAttributes: isAttributes))
    }
  }
  return [known.root, known.index, known.manifest] + leaves
}
