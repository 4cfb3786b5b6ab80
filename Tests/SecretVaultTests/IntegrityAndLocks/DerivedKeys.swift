import Foundation
import SecretMemory
import SecretVault
import TestSupport
import VaultCrypto
import VaultFormat

/// The keys of a vault and of its first group, derived from the key file and the records of the file.
///
/// It follows the format and none of the library's own opening, so that it can tell what the library holds.
struct DerivedKeys: ~Copyable {
  let vaultID: Identifier
  let groupID: Identifier
  let epoch: UInt64
  let root: Key<Role.Root>
  let group: Key<Role.Group>
  private let device: Key<Role.Device>

  init(_ vault: ChildVault) throws {
    let file = try RawDatabase(vault.path)
    let head = try file.blob("record", from: "head")
    let vaultID = try HeadRecord(parsing: head.span).vaultID
    let group = try file.blob("record", from: "grp WHERE id = 1")
    let record = try GroupRecord(parsing: group.span)
    let root = try Self.rootKey(of: file, with: vault.keyFile, vaultID: vaultID)
    let groupKey: Key<Role.Group> = try Self.open(
      record.box,
      with: root.wrapKey().sealingContext(),
      salt: record.salt,
      context: Label.group.tag + vaultID.array + record.header
    )
    let line = try Data(contentsOf: URL(fileURLWithPath: vault.statePath + "/device.key"))
    let device: Key<Role.Device> = try Self.key(in: Array(line), magic: .deviceKey)
    self.init(vaultID, record, root: root, group: groupKey, device: device)
  }

  private init(
    _ vaultID: Identifier,
    _ record: GroupRecord,
    root: consuming Key<Role.Root>,
    group: consuming Key<Role.Group>,
    device: consuming Key<Role.Device>
  ) {
    self.vaultID = vaultID
    groupID = record.id
    epoch = record.epoch
    self.root = root
    self.group = group
    self.device = device
  }

  init(_ vault: TemporaryVault) throws {
    try self.init(ChildVault(vault))
  }

  /// The key that seals attributes, or secrets, of one class.
  func leaf(_ accessibility: Accessibility, isAttributes: Bool) throws -> Key<Role.Leaf> {
    let classByte = accessibility.classByte
    let base =
      try classByte.isDeviceBound
      ? group.deviceBase(device, vaultID: vaultID.bytes.span, groupID: groupID.bytes.span)
      : group.portableBase()
    return try isAttributes
      ? base.attributesLeaf(classByte: classByte.rawValue)
      : base.secretLeaf(classByte: classByte.rawValue)
  }

  private static func rootKey(
    of file: RawDatabase,
    with keyFile: [UInt8],
    vaultID: Identifier
  ) throws -> Key<Role.Root> {
    let slots = try file.blobs("record", from: "slot").map { try SlotRecord(parsing: $0.span) }
    guard let slot = slots.first(where: { $0.factors == .keyFile && $0.scope == .zero })
    else { throw FormatError.malformed }
    let factor: Key<Role.File>? = try key(in: keyFile, magic: .keyFile) as Key<Role.File>
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

  private static func open<Purpose: KeyRole>(
    _ box: [UInt8],
    with key: HMAC,
    salt: Salt,
    context: [UInt8]
  ) throws -> Key<Purpose> {
    let cipher = try GCM()
    var secret = try SecretKey()
    _ = try secret.withMutableBytes { output throws(CryptoError) in
      try SealedBox.open(
        box.span,
        with: key,
        salt: salt.bytes.span,
        context: context.span,
        using: cipher,
        into: &output
      )
    }
    return Key(secret)
  }

  private static func key<Purpose: KeyRole>(
    in line: [UInt8],
    magic: KeyFile.Magic
  ) throws -> Key<Purpose> {
    var decoded = try LockedBuffer(count: KeyFile.keyByteCount)
    try decoded.withMutableBytes { output throws(FormatError) in
      try KeyFile.decode(line.span, magic: magic, into: &output)
    }
    return try decoded.withBytes { bytes throws(CryptoError) in
      try Key(copying: bytes.extracting(0..<SecretKey.byteCount))
    }
  }
}
