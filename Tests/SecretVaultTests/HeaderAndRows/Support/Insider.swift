import SecretMemory
import VaultCrypto
import VaultFormat

/// Somebody who holds a key file that opens the whole vault, and uses its keys against the rules.
///
/// Everything is derived here anew from the file format, not by the product's own opening.
final class Insider {
  let vaultID: [UInt8]
  let root: Key<Role.Root>
  let cipher: GCM

  init(_ raw: RawVault, keyFile: SecretBytes) throws {
    cipher = try GCM()
    let head = try raw.head()
    vaultID = Array(head.record[8..<24])
    let opened = try Self.openSlot(of: head, vaultID: vaultID, keyFile: keyFile, using: cipher)
    root = try Key(copying: opened.key.span)
  }

  /// Opens the first slot that a key file opens, and gives its scope and the key in it.
  static func openSlot(
    of head: RawHead,
    vaultID: [UInt8],
    keyFile: SecretBytes,
    using cipher: GCM
  ) throws -> (scope: [UInt8], key: [UInt8]) {
    let file: Key<Role.File>? = try fileKey(keyFile)
    for slot in head.slots.map(\.record) where slot[1] == Factors.keyFile.rawValue {
      let key = try Key<Role.Slot>.joining(
        passphrase: nil,
        file: file,
        device: nil,
        salt: slot.span.extracting(40..<64)
      )
      let context = Label.slot.tag + vaultID + slot[..<64]
      var bytes = [UInt8](repeating: 0, count: 32)
      var output = bytes.mutableSpan
      do {
        _ = try SealedBox.open(
          slot.span.extracting(64...),
          with: key.sealingContext(),
          salt: slot.span.extracting(40..<64),
          context: context.span,
          using: cipher,
          into: &output
        )
      } catch CryptoError.commitmentMismatch {
        continue
      }
      return (Array(slot[24..<40]), bytes)
    }
    throw RawVault.Failure(message: "the key file opens no slot")
  }

  /// The key in a key file's line.
  static func fileKey(_ line: SecretBytes) throws -> Key<Role.File> {
    var decoded = [UInt8](repeating: 0, count: KeyFile.keyByteCount)
    var output = decoded.mutableSpan
    try line.withBytes { line throws(FormatError) in
      try KeyFile.decode(line, magic: .keyFile, into: &output)
    }
    return try Key(copying: output.span.extracting(0..<32))
  }

  /// The key that seals one slot, from its passphrase and key file joined in any order.
  static func slotKey(joining parts: [[UInt8]], salt: [UInt8]) throws -> HMAC {
    var block = [UInt8](repeating: 0, count: 64)
    var output = block.mutableSpan
    try HKDF.extract(salt: salt.span, into: &output) { hmac throws(CryptoError) in
      for part in parts { try hmac.update(part.span) }
    }
    let key: Key<Role.Slot> = try Expander(key: output.span).key(.slot)
    return try key.sealingContext()
  }

  /// Seals the root key into a slot, whose first 64 bytes are given.
  func sealedSlot(_ header: [UInt8], with key: HMAC) throws -> [UInt8] {
    let context = Label.slot.tag + vaultID + header
    let box = try root.withBytes { root throws(CryptoError) in
      try SealedBox.seal(
        root,
        with: key,
        salt: header.span.extracting(40..<64),
        context: context.span,
        using: cipher
      )
    }
    return header + box
  }

  /// Makes counts, checksum and admin tag fit.
  func sign(_ head: inout RawHead) throws {
    head.fixCounts()
    try head.fixChecksum()
    let body = head.body
    let tag = try root.adminKey().expander().expand(.adminTag) { hmac throws(CryptoError) in
      try hmac.update(body.span)
    }
    head.record.replaceSubrange(RawHead.adminTagRange, with: tag.indices.map { tag[$0] })
  }
}
