import Testing
import VaultCrypto

@Suite("Keys")
struct KeyTests {
  private static let bytes = Array(UInt8(0)..<32)

  @Test("a key has 32 bytes; any other number is refused", arguments: [0, 1, 16, 31, 33, 64])
  func lengths(count: Int) throws {
    #expect(throws: CryptoError.invalidLength) {
      _ = try Key<Role.Root>(copying: [UInt8](repeating: 1, count: count).span).bytes
    }
    #expect(try Key<Role.Root>(copying: Self.bytes.span).bytes == Self.bytes)
  }

  @Test("keys of one parent all differ, by label, by class and by part")
  func siblings() throws {
    let root = try Key<Role.Root>(copying: Self.bytes.span)
    let group = try Key<Role.Group>(copying: Self.bytes.span)
    let base = try group.portableBase()
    #expect(base.bytes == Self.bytes)
    var keys = try [
      root.wrapKey().bytes, root.adminKey().bytes, root.slotLabelKey().bytes,
      group.indexKey().bytes, group.manifestKey().bytes, group.nameKey().bytes,
    ]
    for classByte: UInt8 in [0x01, 0x02, 0x11, 0x12, 0x13] {
      keys.append(try base.attributesLeaf(classByte: classByte).bytes)
      keys.append(try base.secretLeaf(classByte: classByte).bytes)
    }
    #expect(Set(keys + [Self.bytes]).count == keys.count + 1)
  }

  @Test("the base of a device's classes depends on group, device, vault and group identifier")
  func deviceBase() throws {
    let other = Array(UInt8(1)..<33)
    let identifiers = [[UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16)]
    var keys: [[UInt8]] = []
    for group in [Self.bytes, other] {
      for device in [Self.bytes, other] {
        for vaultID in identifiers {
          for groupID in identifiers {
            let group = try Key<Role.Group>(copying: group.span)
            let device = try Key<Role.Device>(copying: device.span)
            keys.append(
              try group.deviceBase(device, vaultID: vaultID.span, groupID: groupID.span).bytes
            )
          }
        }
      }
    }
    #expect(Set(keys).count == 16)
  }

  @Test("every set of factors makes another slot key")
  func factors() throws {
    let keys = try (1..<8).map { factors in
      try slotKey(passphrase: factors & 1 != 0, file: factors & 2 != 0, device: factors & 4 != 0)
    }
    #expect(Set(keys).count == 7)
  }

  @Test("without any factor there is no slot key, which everybody could compute")
  func noFactor() {
    #expect(throws: CryptoError.invalidLength) {
      try slotKey(passphrase: false, file: false, device: false)
    }
  }

  private func slotKey(passphrase: Bool, file: Bool, device: Bool) throws -> [UInt8] {
    try Key<Role.Slot>.joining(
      passphrase: passphrase ? Key(copying: [UInt8](repeating: 1, count: 32).span) : nil,
      file: file ? Key(copying: [UInt8](repeating: 2, count: 32).span) : nil,
      device: device ? Key(copying: [UInt8](repeating: 3, count: 32).span) : nil,
      salt: [UInt8](repeating: 4, count: 24).span
    ).bytes
  }

  @Test("a recovery code has 20 bytes; any other number is refused", arguments: [0, 19, 21, 32])
  func recoveryLength(count: Int) {
    #expect(throws: CryptoError.invalidLength) {
      _ = try Key<Role.File>.recovery([UInt8](repeating: 1, count: count).span).bytes
    }
  }

  @Test("labels are distinct, and no tag is the beginning of another")
  func labels() {
    let labels: [Label] = [
      .wrap, .admin, .labelOfSlot, .index, .manifest, .name, .leaf, .adminTag, .lookup, .pageTag,
      .branchTag, .manifestTag, .deviceID, .groupName, .rev, .slot, .device, .recovery, .group,
      .attributes, .secret, .history, .scrypt, .checksum, .keyFile, .anchor,
    ]
    let tags = labels.map(\.tag)
    for (index, tag) in tags.enumerated() {
      #expect(tag.starts(with: Array("vault1/".utf8)))
      #expect(tag.firstIndex(of: 0) == tag.count - 1)
      for other in tags[(index + 1)...] {
        #expect(!tag.starts(with: other) && !other.starts(with: tag))
      }
    }
  }

  @Test("an expander that failed half-way starts the next message afresh")
  func expanderAfterFailure() throws {
    let expander = try Key<Role.Index>(copying: Self.bytes.span).expander()
    let expected = [UInt8](try expander.expand(.lookup))
    #expect(throws: CryptoError.invalidLength) {
      _ = try expander.expand(.lookup) { hmac throws(CryptoError) in
        try hmac.update(UInt8(1))
        throw .invalidLength
      }
    }
    #expect([UInt8](try expander.expand(.lookup)) == expected)
  }
}
