import Foundation
import TestSupport
import Testing
import VaultCrypto

@Suite("scrypt")
struct ScryptTests {
  private static let mayUseMuchMemory =
    ProcessInfo.processInfo.environment["SECRETVAULT_SLOW_TESTS"] != nil

  @Test("the small cases of RFC 7914, section 12, come out", arguments: ScryptVector.small)
  func small(vector: ScryptVector) throws {
    #expect(try vector.derive() == vector.output)
  }

  @Test(
    "the large case of RFC 7914, section 12, comes out",
    .enabled(if: mayUseMuchMemory, "needs 1 GiB of memory; set SECRETVAULT_SLOW_TESTS")
  )
  func large() throws {
    #expect(try ScryptVector.large.derive() == ScryptVector.large.output)
  }

  @Test(
    "parameters that scrypt does not take are refused",
    arguments: [
      (0, 8, 1), (1, 8, 1), (15, 8, 1), (16, 0, 1), (16, 8, 0), (1 << 63, 8, 1), (.max, 8, 1),
      (16, .max, 1), (16, .max, .max), (2, 1 << 15, 1 << 15), (1 << 40, 1 << 20, 1),
    ] as [(UInt64, UInt32, UInt32)]
  )
  func refused(n: UInt64, r: UInt32, p: UInt32) {
    var output = [UInt8](repeating: 0xee, count: 32)
    #expect(throws: CryptoError.self) {
      var bytes = output.mutableSpan
      try Scrypt.derive([1].span, salt: [1].span, n: n, r: r, p: p, into: &bytes)
    }
    #expect(output == [UInt8](repeating: 0xee, count: 32))
  }

  @Test("a stretch refuses a cost or a salt it does not take, before it counts as one")
  func stretchInputs() async {
    await #expect(processExitsWith: .success) {
      let salt = [UInt8](repeating: 1, count: 24)
      for (salt, log2N) in [
        (salt, 0), (salt, 32), (salt, 64), (salt, 255), ([], 10), (salt + [1], 10),
      ] as [([UInt8], UInt8)] {
        let error = #expect(throws: CryptoError.self) {
          _ = try Stretch.passphrase([1].span, salt: salt.span, log2N: log2N).bytes
        }
        #expect(error == .invalidLength)
      }
      #expect(Stretch.callCount == 0)
      let key = try Stretch.passphrase([1].span, salt: salt.span, log2N: 1)
      #expect(key.bytes.count == 32)
      #expect(Stretch.callCount == 1)
    }
  }

  /// Zeros at the end are the exception: HMAC pads its key with zeros, so scrypt does not see them.
  @Test("passphrases are bytes: empty, with a zero, or as composed and decomposed text, all differ")
  func passphraseBytes() throws {
    let salt = [UInt8](repeating: 1, count: 24)
    let passphrases: [[UInt8]] = [
      [], [0x61], [0x61, 0, 0x61], [0x61, 0x61], [0, 0x61], Array("\u{e9}".utf8),
      Array("e\u{301}".utf8), [0xff], [UInt8](repeating: 0x61, count: 1_024),
    ]
    let keys = try passphrases.map { passphrase in
      try Stretch.passphrase(passphrase.span, salt: salt.span, log2N: 4).bytes
    }
    #expect(Set(keys).count == passphrases.count)
  }
}

/// A case of RFC 7914, section 12.
struct ScryptVector: Sendable {
  let passphrase: String
  let salt: String
  let n: UInt64
  let r: UInt32
  let p: UInt32
  let output: [UInt8]

  func derive() throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 64)
    var bytes = output.mutableSpan
    try Scrypt.derive(
      Array(passphrase.utf8).span,
      salt: Array(salt.utf8).span,
      n: n,
      r: r,
      p: p,
      into: &bytes
    )
    return output
  }

  static let small = [
    ScryptVector(
      passphrase: "",
      salt: "",
      n: 16,
      r: 1,
      p: 1,
      output: [UInt8](
        hex: """
          77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
          fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
          """
      )
    ),
    ScryptVector(
      passphrase: "password",
      salt: "NaCl",
      n: 1_024,
      r: 8,
      p: 16,
      output: [UInt8](
        hex: """
          fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
          2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
          """
      )
    ),
    ScryptVector(
      passphrase: "pleaseletmein",
      salt: "SodiumChloride",
      n: 1 << 14,
      r: 8,
      p: 1,
      output: [UInt8](
        hex: """
          7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
          d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
          """
      )
    ),
  ]

  static let large = ScryptVector(
    passphrase: "pleaseletmein",
    salt: "SodiumChloride",
    n: 1 << 20,
    r: 8,
    p: 1,
    output: [UInt8](
      hex: """
        2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47
        8e56fd8f4ba5d09ffa1c6d927c40f4c337304049e8a952fbcbf45c6fa77a41a4
        """
    )
  )
}
