import TestSupport
import Testing
import VaultCrypto

@Suite("Vectors of the vault format: boxes of rows and the group's name")
struct RowVectorTests {
  @Test("K9: the attributes and the secret of a row")
  func portableRow() throws {
    let service = FormatInputs.lengthPrefixed(Array("com.example.api".utf8))
    let attributes = [1] + service + [2] + FormatInputs.lengthPrefixed(FormatInputs.account)
    let base = try FormatInputs.group().portableBase()
    let attributesBox = [UInt8](
      hex: """
        4aa941067b0b0287e6cdb110a641a098d09ea44c9bcc9e6f2b39494e2b8f50db0fba530870e538f1
        a7216f33036a494567d527ac9c686565ad9bc33e65337872fb29d2018537e13fe929e90d8cfe8331
        731fcfb068ea0f15c4152ed9a7b3523e6768b026da397e6235b3c461e41a4925
        """
    )
    let sealed = try seal(
      attributes,
      .attributes,
      FormatRow.first,
      with: base.attributesLeaf(classByte: 0x01)
    )
    #expect(sealed == attributesBox)
    let secretBox = [UInt8](
      hex: """
        9f6d77b74d8a4759d90fcade09578d99e9b74724382bc3599e3ed04cb93503235e11b90086d60769
        3de69cf93aec09acb9d0bc3ce5ca36ca8a8d0cabf5aad127f3ebba31a880ad252fe0cb59757e37bd
        c9b9b3b31cd519871b0131a2ecbce0fdb50083e44c854bf6aff2903e201d1b7f
        """
    )
    let secret = try seal(
      Array("hunter2".utf8),
      .secret,
      FormatRow.first,
      with: base.secretLeaf(classByte: 0x01)
    )
    #expect(secret == secretBox)
  }

  @Test("K10: the empty secret of a row bound to a device")
  func deviceRow() throws {
    let base = try FormatInputs.group().deviceBase(
      FormatInputs.device(),
      vaultID: FormatInputs.vaultID.span,
      groupID: FormatInputs.groupID.span
    )
    let expected = [UInt8](
      hex: """
        1034b76cf48e73f07fde8779535e4037cc6c31c66b8e2a4db1f5091ed8cfcb8cefcf90907da1903f
        6364cd34371220be62ea87f899858eb08d3db4d14ad578b60df65a71539311fe30883fb9c91a3812
        86c4c7784083d736d465a29be274a4fde5abc371126f5e17ebea11856e09dfd3
        """
    )
    let secret = try seal(
      [],
      .secret,
      FormatRow.second,
      with: base.secretLeaf(classByte: 0x11)
    )
    #expect(secret == expected)
  }

  @Test("K12: a secret of two chunks")
  func longSecret() throws {
    var claims = FormatRow.first.claims
    claims.replaceSubrange(75..<99, with: [UInt8](repeating: 0x74, count: 24))
    let secret = (0..<20_480).map { UInt8(truncatingIfNeeded: $0) }
    let leaf = try FormatInputs.group().portableBase().secretLeaf(classByte: 0x01)
    let box = try seal(secret, .secret, FormatRow(claims: claims), with: leaf)
    #expect(Array(try sha512(box).prefix(16)) == [UInt8](hex: "fbf70279f275b69c9afb5b907dafd1dc"))
  }

  @Test("K13: the name of a group")
  func groupName() throws {
    let salt = [UInt8](repeating: 0x6e, count: 24)
    let box = try SealedBox.seal(
      FormatInputs.padded(Array("com.example.shared".utf8)).span,
      with: FormatInputs.group().nameKey().sealingContext(),
      salt: salt.span,
      context: (Label.name.tag + FormatInputs.vaultID + FormatInputs.groupID).span,
      using: GCM()
    )
    let expected = [UInt8](
      hex: """
        6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e769d60180d37476b6fe7eb3589a87a42
        8b4a52808343c1094e69b6d5d2f4fae5d6a63e39723ad14f6350397b089d6fcfaa717eaeb308e157
        30cc0a93fd4aa54cc47706d185ff23d22651dd2a71e56d223638a931679cab71726212339c1020cd
        9e693fcd992eb97502347c2730b84737
        """
    )
    #expect(salt + box == expected)
  }

  @Test("K17: the history of a row")
  func history() throws {
    let entry =
      FormatInputs.bigEndian(UInt64(1)) + FormatInputs.bigEndian(UInt64(1_700_000_000_000))
      + FormatInputs.lengthPrefixed(Array("old".utf8))
    let leaf = try FormatInputs.group().portableBase().secretLeaf(classByte: 0x01)
    let expected = [UInt8](
      hex: """
        0c3222af04dfa453bcddfd73b0fac50ae84a877532245ad19b9e48e0eddabe2dc37f5fc48b3f172c
        200b45d30c8e2602a934329bd18fecf0c31bca6df0ed2ee9391500d5c39b80b1bfbe8e76e5f8136d
        9925bb1ea84e9146f7372c6abf2060df12ed8018c2e7521b783534366c766e6e
        """
    )
    #expect(try seal(entry, .history, FormatRow.first, with: leaf) == expected)
  }

  private func seal(
    _ plaintext: [UInt8],
    _ label: Label,
    _ row: FormatRow,
    with leaf: borrowing Key<Role.Leaf>
  ) throws -> [UInt8] {
    try SealedBox.seal(
      FormatInputs.padded(plaintext).span,
      with: leaf.sealingContext(),
      salt: row.rev.span,
      context: (label.tag + row.bound).span,
      using: GCM()
    )
  }
}
