import TestSupport
import Testing
import VaultCrypto

@Suite("Vectors of the vault format: keys and lookups")
struct KeyVectorTests {
  @Test("K1: the key that wraps group keys")
  func wrapKey() throws {
    let expected = [UInt8](hex: "a8cbda5ffc1c570d1dbc9129a5f97b5847995339cd827b24304f26e7b16c7756")
    #expect(try FormatInputs.root().wrapKey().bytes == expected)
  }

  @Test("K2: the stretched passphrase")
  func stretch() throws {
    let key = try Stretch.passphrase(
      FormatInputs.passphrase.span,
      salt: [UInt8](repeating: 0x51, count: 24).span,
      log2N: 15
    )
    let expected = [UInt8](hex: "8f6fbe1ef57d3d303df0bc290123cf47f1912745e5a227fc762147f25f5abe3c")
    #expect(key.bytes == expected)
  }

  @Test("K7: the leaves of a portable class")
  func portableLeaves() throws {
    let base = try FormatInputs.group().portableBase()
    let attributes = [UInt8](
      hex: "08f5c19ff554d310bff0b356f0f3b391718b9b91db0c2c48a109dbe33e485419"
    )
    let secret = [UInt8](hex: "c62845a30dd41516edcf605ad5121fe60e49e01ea63f50035f7ad013721d2b25")
    #expect(try base.attributesLeaf(classByte: 0x01).bytes == attributes)
    #expect(try base.secretLeaf(classByte: 0x01).bytes == secret)
  }

  @Test("K7: the leaf of a class bound to a device, and the device's name")
  func deviceLeaf() throws {
    let device = try FormatInputs.device()
    let base = try FormatInputs.group().deviceBase(
      device,
      vaultID: FormatInputs.vaultID.span,
      groupID: FormatInputs.groupID.span
    )
    let secret = [UInt8](hex: "ede0e5237d3cb7b7aae4b37b4fe4bc805b4e595cf9c3b140c88a55aac0a72666")
    #expect(try base.secretLeaf(classByte: 0x11).bytes == secret)
    let name = [UInt8](try device.deviceID(vaultID: FormatInputs.vaultID.span))
    #expect(name == [UInt8](hex: "0f69d4101f6a7815554653c42fc209dc"))
  }

  @Test("K8: the lookup of a generic password, synchronising or not, and with its border shifted")
  func lookups() throws {
    let service = Array("com.example.api".utf8)
    let account = FormatInputs.account
    let plain = [UInt8](hex: "340c5d94cf87976965796c5aa6c20fc2b2205b1b7a7f83abb247eb400e8ba4e4")
    #expect(try lookup([1, 0], [service, account]) == plain)
    let synchronizing = [UInt8](
      hex: "4f8e84a066b8a00d97558f19b6b3a60308ea84fce5db6e7554f45392b9ada7c0"
    )
    #expect(try lookup([1, 1], [service, account]) == synchronizing)
    let shifted = [UInt8](hex: "084e56a787846fc43d09579f0148ed0d890845e0e128219b42f4ccd9740d39eb")
    let parts = [service + account.prefix(1), Array(account.dropFirst())]
    #expect(try lookup([1, 0], parts) == shifted)
  }

  @Test("K8: the lookup of an internet password")
  func internetLookup() throws {
    let parts = [
      Array("www.example.com".utf8), FormatInputs.account, [], Array("htps".utf8),
      Array("dflt".utf8), FormatInputs.bigEndian(UInt16(443)), Array("/login".utf8),
    ]
    let expected = [UInt8](hex: "383a295c727c1af70d869134b739621f8a12d5991bf08454ce5f34ace9637dd3")
    #expect(try lookup([2, 0], parts) == expected)
  }

  @Test("K9, K10, K11: the rows hold the lookups of their identities")
  func rows() throws {
    let service = Array("com.example.api".utf8)
    #expect(try lookup([1, 0], [service, FormatInputs.account]) == FormatRow.first.lookup)
    let parts = [Array("com.example.db".utf8), Array("root".utf8)]
    #expect(try lookup([1, 0], parts) == FormatRow.second.lookup)
    #expect(try lookup([1, 0], [service, Array("user2154".utf8)]) == FormatRow.third.lookup)
  }

  @Test("K15: the factor of a recovery code")
  func recovery() throws {
    let expected = [UInt8](hex: "644b6d4c0fc61c2773f2174df3faa00507aada8164e94970f8cead894e293b1f")
    #expect(try Key<Role.File>.recovery(Array(0x80...0x93).span).bytes == expected)
  }

  private func lookup(_ start: [UInt8], _ parts: [[UInt8]]) throws -> [UInt8] {
    let expander = try FormatInputs.group().indexKey().expander()
    let lookup = try expander.expand(.lookup) { hmac throws(CryptoError) in
      try hmac.update(start.span)
      for part in parts { try hmac.update(FormatInputs.lengthPrefixed(part).span) }
    }
    return [UInt8](lookup)
  }
}
