import TestSupport
import Testing
import VaultCrypto

/// The file of vectors, as far as it is used.
struct GCMFile: Decodable {
  struct Group: Decodable {
    let keySize: Int
    let ivSize: Int
    let tagSize: Int
    let tests: [GCMVector]
  }

  let testGroups: [Group]
}

/// One vector, in hexadecimal.
struct GCMVector: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let key: String
  let iv: String
  var aad = ""
  var msg = ""
  var ct = ""
  let tag: String
  let result: String

  var isValid: Bool { result == "valid" }
  var testDescription: String { "\(tcId) \(result)" }

  func seal(_ plaintext: [UInt8]) throws(CryptoError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plaintext.count + GCM.tagByteCount)
    var output = sealed.mutableSpan
    try GCM().seal(
      plaintext.span,
      key: [UInt8](hex: key).span,
      nonce: [UInt8](hex: iv).span,
      associatedData: [UInt8](hex: aad).span,
      into: &output,
      at: 0
    )
    return sealed
  }

  func open(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] {
    var plaintext = [UInt8](repeating: 0, count: sealed.count - GCM.tagByteCount)
    var output = plaintext.mutableSpan
    try GCM().open(
      sealed.span,
      key: [UInt8](hex: key).span,
      nonce: [UInt8](hex: iv).span,
      associatedData: [UInt8](hex: aad).span,
      into: &output,
      at: 0
    )
    return plaintext
  }

  /// Test cases 13 and 14 of the GCM paper, and two of NIST's (CAVP) with and without data.
  static let small = [
    GCMVector(
      tcId: 1,
      key: String(repeating: "0", count: 64),
      iv: String(repeating: "0", count: 24),
      tag: "530f8afbc74536b9a963b4f1c4cb738b",
      result: "valid"
    ),
    GCMVector(
      tcId: 2,
      key: String(repeating: "0", count: 64),
      iv: String(repeating: "0", count: 24),
      msg: String(repeating: "0", count: 32),
      ct: "cea7403d4d606b6e074ec5d3baf39d18",
      tag: "d0d1c8a799996bf0265b98b5d48ab919",
      result: "valid"
    ),
    GCMVector(
      tcId: 3,
      key: "b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4",
      iv: "516c33929df5a3284ff463d7",
      tag: "bdc1ac884d332457a1d2664f168c76f0",
      result: "valid"
    ),
    GCMVector(
      tcId: 4,
      key: "92e11dcdaa866f5ce790fd24501f92509aacf4cb8b1339d50c9c1240935dd08b",
      iv: "ac93a1a6145299bde902f21a",
      aad: "1e0889016f67601c8ebea4943bc23ad6",
      msg: "2d71bcfa914e4ac045b2aa60955fad24",
      ct: "8995ae2e6df3dbf96fac7b7137bae67f",
      tag: "eca5aa77d51d4a0a14d9c51e1da474ab",
      result: "valid"
    ),
  ]
}
