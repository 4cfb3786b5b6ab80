import SecretMemory
import SecretVault
import TestSupport
import VaultCrypto
import VaultFormat

/// The keys of a vault and of its first group, derived from the key file and the records of the file as the format
/// says, so that they can be looked for.
struct VaultKeys {
  let root: [UInt8]
  let group: [UInt8]
  let index: [UInt8]
  let manifest: [UInt8]
  /// The leaves that seal attributes and secrets.
  let leaves: [Accessibility: [[UInt8]]]

  static func of(_ vault: AgentVault) throws -> VaultKeys {
    let file = try RawDatabase(vault.path)
    let head = try record(in: "head", of: file)
    let vaultID = try HeadRecord(parsing: head.span).vaultID
    let root = try rootKey(of: file, vaultID, vault.keyFile.copied(as: [UInt8].self))
    let group = try groupKey(of: file, vaultID, root)
    return VaultKeys(
      root: root,
      group: group,
      index: bytes(of: try Key<Role.Group>(copying: group.span).indexKey()),
      manifest: bytes(of: try Key<Role.Group>(copying: group.span).manifestKey()),
      leaves: [
        .whenUnlocked: try leaves(.whenUnlocked, group),
        .afterFirstUnlock: try leaves(.afterFirstUnlock, group),
      ]
    )
  }

  private static func leaves(_ accessibility: Accessibility, _ group: [UInt8]) throws -> [[UInt8]] {
    let base = try Key<Role.Group>(copying: group.span).portableBase()
    let classByte = accessibility.classByte.rawValue
    return [
      bytes(of: try base.attributesLeaf(classByte: classByte)),
      bytes(of: try base.secretLeaf(classByte: classByte)),
    ]
  }

  private static func rootKey(
    of file: RawDatabase,
    _ vaultID: Identifier,
    _ keyFile: [UInt8]
  ) throws -> [UInt8] {
    let slots = try records(in: "slot", of: file).map { try SlotRecord(parsing: $0.span) }
    guard let slot = slots.first(where: { $0.factors == .keyFile && $0.scope == .zero })
    else { throw FormatError.malformed }
    let factor: Key<Role.File>? = try fileKey(in: keyFile)
    let slotKey = try Key<Role.Slot>.joining(
      passphrase: nil,
      file: factor,
      device: nil,
      salt: slot.salt.bytes.span
    )
    return try open(
      slot.box,
      with: slotKey.sealingContext(),
      salt: slot.salt,
      context: Label.slot.tag + vaultID.array + slot.header
    )
  }

  private static func groupKey(
    of file: RawDatabase,
    _ vaultID: Identifier,
    _ root: [UInt8]
  ) throws -> [UInt8] {
    let bytes = try record(in: "grp", of: file)
    let record = try GroupRecord(parsing: bytes.span)
    let wrapping = try Key<Role.Root>(copying: root.span).wrapKey().sealingContext()
    return try open(
      record.box,
      with: wrapping,
      salt: record.salt,
      context: Label.group.tag + vaultID.array + record.header
    )
  }

  private static func records(in table: String, of file: RawDatabase) throws -> [[UInt8]] {
    try file.rows("SELECT hex(record) FROM \(table)").map { Array(hex: $0) }
  }

  private static func record(in table: String, of file: RawDatabase) throws -> [UInt8] {
    guard let record = try records(in: table, of: file).first else { throw FormatError.malformed }
    return record
  }

  private static func fileKey(in line: [UInt8]) throws -> Key<Role.File> {
    var decoded = try LockedBuffer(count: KeyFile.keyByteCount)
    try decoded.withMutableBytes { output throws(FormatError) in
      try KeyFile.decode(line.span, magic: .keyFile, into: &output)
    }
    return try decoded.withBytes { bytes throws(CryptoError) in
      try Key(copying: bytes.extracting(0..<SecretKey.byteCount))
    }
  }

  private static func open(
    _ box: [UInt8],
    with key: HMAC,
    salt: Salt,
    context: [UInt8]
  ) throws -> [UInt8] {
    var opened = [UInt8](repeating: 0, count: SecretKey.byteCount)
    var output = opened.mutableSpan
    _ = try SealedBox.open(
      box.span,
      with: key,
      salt: salt.bytes.span,
      context: context.span,
      using: GCM(),
      into: &output
    )
    return opened
  }

  private static func bytes<Purpose: KeyRole>(of key: borrowing Key<Purpose>) -> [UInt8] {
    key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
