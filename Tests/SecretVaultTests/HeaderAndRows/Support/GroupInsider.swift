import SecretVault
import VaultCrypto
import VaultDatabase
import VaultFormat

/// An insider at work in one access group, who opens and seals boxes.
final class GroupInsider {
  /// The 16 bytes that name the group.
  let groupID: [UInt8]
  let raw: RawVault
  let vaultID: [UInt8]
  private let cipher: GCM
  /// The epoch that is signed for, eight bytes.
  var epoch: [UInt8]
  private let index: Expander
  let manifest: Expander
  private let base: Key<Role.ClassBase>

  /// Opens the group that has this place among all, by ascending id.
  convenience init(_ raw: RawVault, _ insider: Insider, group number: Int = 0) throws {
    let record = try raw.head().groups[number]
    let context = Label.group.tag + insider.vaultID + record[..<24]
    var bytes = [UInt8](repeating: 0, count: 32)
    var output = bytes.mutableSpan
    _ = try SealedBox.open(
      record.span.extracting(48...),
      with: insider.root.wrapKey().sealingContext(),
      salt: record.span.extracting(24..<48),
      context: context.span,
      using: insider.cipher,
      into: &output
    )
    try self.init(raw, vaultID: insider.vaultID, cipher: insider.cipher, record, bytes)
  }

  /// Opens the group of the slot that a key file opens, as one does who has nothing else; or uses that group's key as
  /// if it were the key of another group.
  convenience init(
    _ raw: RawVault,
    groupKeyFile: SecretBytes,
    posingIn group: [UInt8]? = nil
  ) throws {
    let cipher = try GCM()
    let head = try raw.head()
    let vaultID = Array(head.record[8..<24])
    let opened = try Insider.openSlot(
      of: head,
      vaultID: vaultID,
      keyFile: groupKeyFile,
      using: cipher
    )
    guard let record = head.groups.first(where: { $0.starts(with: group ?? opened.scope) }) else {
      throw RawVault.Failure(message: "the key file opens no group")
    }
    try self.init(raw, vaultID: vaultID, cipher: cipher, record, opened.key)
  }

  private init(
    _ raw: RawVault,
    vaultID: [UInt8],
    cipher: GCM,
    _ record: [UInt8],
    _ groupKey: [UInt8]
  ) throws {
    self.raw = raw
    self.vaultID = vaultID
    self.cipher = cipher
    groupID = Array(record[..<16])
    epoch = Array(record[16..<24])
    let key = try Key<Role.Group>(copying: groupKey.span)
    index = try key.indexKey().expander()
    manifest = try key.manifestKey().expander()
    base = try key.portableBase()
  }

  /// The item of an identity, as the file holds it.
  func item(_ identity: ItemIdentity) throws -> RawItem {
    let wanted = try expand(index, .lookup, identity.input.bytes)
    guard let item = try raw.items(of: groupID).first(where: { $0.lookup == wanted }) else {
      throw RawVault.Failure(message: "there is no such item")
    }
    return item
  }

  /// Opens one part of an item of a portable class; what comes out is still padded.
  func open(_ part: BoxPart, of item: RawItem) throws -> [UInt8] {
    let box = item.box(part)
    var padded = [UInt8](
      repeating: 0,
      count: SealedBox.plaintextByteCount(boxCount: box.count) ?? 0
    )
    var output = padded.mutableSpan
    _ = try SealedBox.open(
      box.span,
      with: leaf(part, of: item),
      salt: item.rev.span,
      context: context(part, of: item).span,
      using: cipher,
      into: &output
    )
    return padded
  }

  /// Seals anything at all as one part of an item of a portable class, without padding it.
  func seal(_ padded: [UInt8], as part: BoxPart, of item: RawItem) throws -> [UInt8] {
    try SealedBox.seal(
      padded.span,
      with: leaf(part, of: item),
      salt: item.rev.span,
      context: context(part, of: item).span,
      using: cipher
    )
  }

  /// Pads a content as a writer does.
  static func padded(_ content: [UInt8]) throws -> [UInt8] {
    var padded = [UInt8](repeating: 0, count: try Padding.paddedCount(for: content.count))
    var output = padded.mutableSpan
    try Padding.pad(content.span, into: &output)
    return padded
  }

  private func leaf(_ part: BoxPart, of item: RawItem) throws -> HMAC {
    let accessibility = item.claim[Claim.accessibilityOffset]
    return part == .attributes
      ? try base.attributesLeaf(classByte: accessibility).sealingContext()
      : try base.secretLeaf(classByte: accessibility).sealingContext()
  }

  private func context(_ part: BoxPart, of item: RawItem) -> [UInt8] {
    part.label.tag + vaultID + groupID + item.claim[Claim.boundRange]
  }

  func expand(_ key: Expander, _ label: Label, _ context: [UInt8]) throws -> [UInt8] {
    let bytes = try key.expand(label) { hmac throws(CryptoError) in try hmac.update(context.span) }
    return bytes.indices.map { bytes[$0] }
  }

  func bigEndian(_ value: Int64, _ count: Int) -> [UInt8] {
    Array(RawVault.Value.integer(value).bytes.suffix(count))
  }
}

extension RawItem {
  fileprivate func box(_ part: BoxPart) -> [UInt8] {
    switch part {
    case .attributes: attributes
    case .secret: secret
    case .history: history
    }
  }
}

extension BoxPart {
  fileprivate var label: Label {
    switch self {
    case .attributes: .attributes
    case .secret: .secret
    case .history: .history
    }
  }
}
