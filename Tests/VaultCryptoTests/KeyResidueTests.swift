import SecretMemory
import TestSupport
import Testing
import VaultCrypto

/// What libcrypto and our code leave behind once keys and contexts are gone.
@Suite("Residue of keys")
struct KeyResidueTests {
  @Test("a random key is in memory once, locked, and gone with its owner")
  func randomKey() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      let source = RandomSource { bytes throws(CryptoError) in pattern.write(to: &bytes) }
      let key = try Key<Role.Root>.random(from: source)
      let found = try MemoryScanner.occurrences(of: pattern)
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.mapping.flags.isSuperset(of: ["lo", "dd"]) })
      _ = consume key
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("a keyed context keeps no copy of its key, and still computes with it")
  func contexts() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      let source = RandomSource { bytes throws(CryptoError) in pattern.write(to: &bytes) }
      var contexts: [HMAC] = []
      var expanders: [Expander] = []
      do {
        contexts.append(try Key<Role.Leaf>.random(from: source).sealingContext())
        expanders.append(try Key<Role.Index>.random(from: source).expander())
        _ = try expanders[0].expand(.lookup)
      }
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      let first = try expanders[0].expand(.lookup)
      let second = try expanders[0].expand(.lookup)
      #expect(first.indices.allSatisfy { first[$0] == second[$0] })
      var code = [UInt8](repeating: 0, count: 64)
      var output = code.mutableSpan
      try contexts[0].begin()
      try contexts[0].finish(into: &output)
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("a derived key is in memory once, locked, and gone with its owner")
  func derivedKeys() async {
    await #expect(processExitsWith: .success) {
      let root = try Key<Role.Root>.random(from: .system)
      let group = try Key<Role.Group>.random(from: .system)
      let device = try Key<Role.Device>.random(from: .system)
      let identifier = [UInt8](repeating: 1, count: 16)
      var patterns: [MaskedPattern] = []
      do {
        let wrap = try farDownTheStack { try root.wrapKey() }
        let base = try farDownTheStack {
          try group.deviceBase(device, vaultID: identifier.span, groupID: identifier.span)
        }
        let leaf = try farDownTheStack { try base.secretLeaf(classByte: 0x11) }
        let expander = try group.expander()
        let index = try farDownTheStack { try expander.key(.index, as: Role.Index.self) }
        patterns = [pattern(of: wrap), pattern(of: base), pattern(of: leaf), pattern(of: index)]
        for pattern in patterns {
          let found = try MemoryScanner.occurrences(of: pattern)
          #expect(found.count == 1)
          #expect(found.allSatisfy { $0.mapping.flags.isSuperset(of: ["lo", "dd"]) })
        }
      }
      for pattern in patterns {
        #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      }
    }
  }

  /// The first round is a rehearsal: when a function is called for the first time, the dynamic linker
  /// saves all registers on the stack, and libcrypto leaves results in them.
  @Test("a passphrase and what scrypt makes of it are gone with their owners")
  func stretching() async {
    await #expect(processExitsWith: .success) {
      var residue: [Int] = []
      for _ in 0..<2 {
        let passphrase = MaskedPattern(randomByteCount: 40)
        let stretched: MaskedPattern
        do {
          let secret = try SecretBytes(count: 40) { passphrase.write(to: &$0) }
          let salt = [UInt8](repeating: 1, count: 24)
          let key = try farDownTheStack {
            try secret.withBytes { bytes throws(CryptoError) in
              try Stretch.passphrase(bytes, salt: salt.span, log2N: 10)
            }
          }
          stretched = pattern(of: key)
          #expect(secret.count == 40)
        }
        residue = try [passphrase, stretched].map { try MemoryScanner.occurrences(of: $0).count }
      }
      #expect(residue == [0, 0])
    }
  }

  @Test("a secret that was sealed and opened is gone with its owners, and so is the message's key")
  func sealing() async {
    await #expect(processExitsWith: .success) {
      let secret = MaskedPattern(randomByteCount: 20_000)
      let messageKey: MaskedPattern
      do {
        let key = try Key<Role.Leaf>.random(from: .system).sealingContext()
        messageKey = try keyOfMessage(key)
        #expect(try MemoryScanner.occurrences(of: messageKey).isEmpty)
        let cipher = try GCM()
        var box = try farDownTheStack { try sealedSecret(secret, key, cipher) }
        #expect(try MemoryScanner.occurrences(of: secret).isEmpty)
        var opened = try LockedBuffer(count: 20_000)
        try farDownTheStack {
          _ = try opened.withMutableBytes { output throws(CryptoError) in
            try SealedBox.open(
              box.span,
              with: key,
              salt: messageSalt.span,
              context: Span(),
              using: cipher,
              into: &output
            )
          }
        }
        #expect(try MemoryScanner.occurrences(of: secret).count == 1)
        _ = consume opened
        box[box.count - 1] ^= 1
        #expect(throws: CryptoError.authenticationFailed) {
          var output = [UInt8](repeating: 0, count: 20_000)
          var bytes = output.mutableSpan
          _ = try SealedBox.open(
            box.span,
            with: key,
            salt: messageSalt.span,
            context: Span(),
            using: cipher,
            into: &bytes
          )
        }
        #expect(try !MemoryScanner.occurrences(of: messageKey).isEmpty, "the cipher is keyed")
      }
      #expect(try MemoryScanner.occurrences(of: secret).isEmpty)
      #expect(try MemoryScanner.occurrences(of: messageKey).isEmpty)
    }
  }
}

/// Runs `body` some 64 KiB down the stack, where the search overwrites nothing of what was left there.
@inline(never)
private func farDownTheStack<Result: ~Copyable>(
  depth: Int = 64,
  _ body: () throws -> Result
) throws -> Result {
  if depth == 0 { return try body() }
  return try unsafe withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { _ in
    try farDownTheStack(depth: depth - 1, body)
  }
}

private let messageSalt = [UInt8](repeating: 1, count: 24)

private func pattern<Purpose: KeyRole>(of key: borrowing Key<Purpose>) -> MaskedPattern {
  key.withBytes { MaskedPattern(of: $0) }
}

/// Computes the key of one message as the box does, in locked memory.
private func keyOfMessage(_ key: HMAC) throws -> MaskedPattern {
  let domain = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0".utf8)
  var material = try LockedBuffer(count: 76)
  try material.withMutableBytes { bytes throws(CryptoError) in
    try HKDF.expand(key, info: (domain + messageSalt).span, into: &bytes)
  }
  return material.withBytes { MaskedPattern(of: $0.extracting(0..<32)) }
}

private func sealedSecret(
  _ pattern: MaskedPattern,
  _ key: HMAC,
  _ cipher: GCM
) throws -> [UInt8] {
  let secret = try SecretBytes(count: pattern.count) { pattern.write(to: &$0) }
  return try secret.withBytes { bytes throws(CryptoError) in
    try SealedBox.seal(
      bytes,
      with: key,
      salt: messageSalt.span,
      context: Span(),
      using: cipher
    )
  }
}
