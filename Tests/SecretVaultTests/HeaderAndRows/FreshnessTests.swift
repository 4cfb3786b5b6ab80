import Foundation
import SecretVault
import Testing
import VaultCrypto
import VaultDatabase
import VaultFormat

/// That no key of the cipher meets two messages under one nonce, whatever the random generator does.
@Suite("Fresh salts, keys and nonces")
struct FreshnessTests {
  /// Two million seals take minutes, which a default run should not; the full count is for a release.
  private static let sealCount =
    ProcessInfo.processInfo.environment["SECRETVAULT_FULL_COUNT"] == nil ? 20_000 : 2_000_000

  @Test("R-20: no salt and no pair of key and nonce comes twice")
  func uniqueSalts() throws {
    let key = try HMAC(key: [UInt8](repeating: 0x42, count: 32).span)
    let cipher = try GCM()
    let context = [UInt8](repeating: 0x17, count: 75)
    let message = [UInt8](repeating: 0, count: 64)
    var salts: Set<Salt> = []
    var commitments: Set<Digest> = []
    for _ in 0..<Self.sealCount {
      let salt = Salt(try RandomSource.system.bytes())
      let box = try SealedBox.seal(
        message.span,
        with: key,
        salt: salt.bytes.span,
        context: context.span,
        using: cipher
      )
      salts.insert(salt)
      // Key, nonce and commitment are one derivation, so they repeat together or not at all.
      commitments.insert(try Digest(box.span.extracting(0..<32)))
    }
    #expect(salts.count == Self.sealCount)
    #expect(commitments.count == Self.sealCount)
  }

  @Test("R-20: every version of every row has a rev of its own, and every box a key of its own")
  func uniqueRevs() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    let raw = try vault.raw()
    var revs: [[UInt8]] = []
    var commitments: [[UInt8]] = []
    for _ in 0..<3 {
      try store.transaction { transaction in
        for number in 0..<200 {
          try transaction.set(SecretBytes("same"), for: ItemIdentity(service: "\(number)"))
        }
      }
      for item in try raw.items() {
        revs.append(item.rev)
        commitments += [Array(item.attributes[..<32]), Array(item.secret[..<32])]
      }
    }
    #expect(Set(revs).count == 600)
    #expect(Set(commitments).count == 1_200)
  }

  @Test("R-21: a generator that repeats gives another rev to another message")
  func repeatingGenerator() throws {
    let items = try AttackedItems()
    let store = try SecretStore.open(
      at: items.vault.path,
      lockState: ManualLockState(),
      options: items.vault.options,
      random: .constant(0x5a)
    )
    try store.unlock(with: items.vault.credential)
    var revs: [[UInt8]] = []
    for secret in ["one", "two"] {
      try store.set(SecretBytes(secret), for: items.alice)
      let row = try items.group.item(items.alice)
      let list = try content(.attributes, of: row, in: items.group)
      // Computed anew, so that each of what is sealed is known to be in it.
      let expected = try items.group.rev(
        of: row,
        random: [UInt8](repeating: 0x5a, count: 32),
        contents: [list, Array(secret.utf8), []]
      )
      #expect(row.rev == expected)
      revs.append(row.rev)
    }
    #expect(Set(revs).count == 2)
  }

  private func content(
    _ part: BoxPart,
    of item: RawItem,
    in group: GroupInsider
  ) throws -> [UInt8] {
    let padded = try group.open(part, of: item)
    return try Array(padded[Padding.unpad(padded.span)])
  }
}
