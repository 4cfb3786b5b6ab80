import SecretMemory
import SecretVault
import TestSupport
import VaultCrypto
import VaultFormat

/// What to look for in memory: every key of a vault, masked.
struct KeyPatterns {
  let root: MaskedPattern
  let group: MaskedPattern
  let index: MaskedPattern
  let manifest: MaskedPattern
  private let leaves: [Accessibility: [MaskedPattern]]

  init(_ vault: ChildVault) throws {
    let keys = try DerivedKeys(vault)
    root = Self.pattern(of: keys.root)
    group = Self.pattern(of: keys.group)
    index = Self.pattern(of: try keys.group.indexKey())
    manifest = Self.pattern(of: try keys.group.manifestKey())
    var leaves: [Accessibility: [MaskedPattern]] = [:]
    for accessibility in Accessibility.allCases {
      leaves[accessibility] = [
        Self.pattern(of: try keys.leaf(accessibility, isAttributes: true)),
        Self.pattern(of: try keys.leaf(accessibility, isAttributes: false)),
      ]
    }
    self.leaves = leaves
  }

  /// How many of the two leaves of a class are in memory.
  func leafCount(_ accessibility: Accessibility) throws -> Int {
    try leaves[accessibility, default: []].count { try Self.isInMemory($0) }
  }

  /// How many of the ten leaves are in memory.
  var leafCount: Int {
    get throws { try Accessibility.allCases.reduce(0) { try $0 + leafCount($1) } }
  }

  static func isInMemory(_ pattern: MaskedPattern) throws -> Bool {
    try !MemoryScanner.occurrences(of: pattern).isEmpty
  }

  static func pattern<Purpose: KeyRole>(of key: borrowing Key<Purpose>) -> MaskedPattern {
    key.withBytes { MaskedPattern(of: $0) }
  }
}

extension DerivedKeys {
  /// The key of the one message that an item's secret is; it is enough to open that box.
  func messageKey(ofSecretOf claim: Claim) throws -> MaskedPattern {
    guard let classByte = ClassByte(rawValue: claim.accessibility) else {
      throw FormatError.malformed
    }
    let leaf = try leaf(Accessibility(classByte), isAttributes: false)
    // What C2SP chunked encryption expands: its name, the salt, and the context.
    var input = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0".utf8)
    claim.rev.append(to: &input)
    input += Label.secret.tag + vaultID.array + groupID.array + claim.bytes[Claim.boundRange]
    var material = try LockedBuffer(count: 76)
    try material.withMutableBytes { bytes throws(CryptoError) in
      try HKDF.expand(try leaf.sealingContext(), info: input.span, into: &bytes)
    }
    return material.withBytes { MaskedPattern(of: $0.extracting(0..<SecretKey.byteCount)) }
  }
}
