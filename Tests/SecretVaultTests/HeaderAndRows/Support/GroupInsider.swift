import SecretVault
import VaultCrypto
import VaultDatabase
import VaultFormat

/// An insider at work in one access group: opens and seals boxes, and signs what the group holds.
final class GroupInsider {
  /// The 16 bytes that name the group.
  let groupID: [UInt8]
  private let raw: RawVault
  private let vaultID: [UInt8]
  private let cipher: GCM
  private let epoch: [UInt8]
  private let index: Expander
  private let manifest: Expander
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

  /// The rev that a writer gives a claim with these random bytes: attributes, secret and history are in it.
  func rev(of item: RawItem, random: [UInt8], contents: [[UInt8]]) throws -> [UInt8] {
    var input = random + item.claim[Claim.boundRange]
    for content in contents { input.append(lengthPrefixed: content.span) }
    return try Array(expand(manifest, .rev, input)[..<24])
  }

  /// Signs the claims as they are in the file, as the group's next commit.
  func sign() throws {
    let scope = vaultID + groupID + epoch
    let pages = Dictionary(grouping: try raw.items(of: groupID), by: \.page)
    var branches: [Int64: (items: Int, entries: [UInt8])] = [:]
    try raw.execute("DELETE FROM page WHERE group_id = ?", [.blob(groupID)])
    for (number, items) in pages.sorted(by: { $0.key < $1.key }) {
      let head = bigEndian(number, 2) + bigEndian(Int64(items.count), 4)
      let tag = try expand(manifest, .pageTag, scope + head + items.flatMap(\.claim))
      try raw.execute(
        "INSERT INTO page VALUES (?, ?, ?, ?)",
        [.blob(groupID), .integer(number), .integer(Int64(items.count)), .blob(tag)]
      )
      branches[number >> 6, default: (0, [])].items += items.count
      branches[number >> 6, default: (0, [])].entries += head + tag
    }
    var table: [UInt8] = []
    for (number, branch) in branches.sorted(by: { $0.key < $1.key }) {
      let head = bigEndian(number, 2) + bigEndian(Int64(branch.items), 4)
      table += head + (try expand(manifest, .branchTag, scope + head + branch.entries))
    }
    try signManifest(scope: scope, items: branches.values.reduce(0) { $0 + $1.items }, table)
  }

  private func signManifest(scope: [UInt8], items: Int, _ branches: [UInt8]) throws {
    let row = try raw.execute(
      "SELECT counter, name, state FROM grp WHERE group_id = ?",
      [.blob(groupID)]
    )[0]
    let counter = row[0].integer + 1
    var covered = scope + bigEndian(counter, 8) + bigEndian(Int64(items), 8) + row[1].bytes[..<24]
    covered.append(lengthPrefixed: row[2].bytes.span)
    covered.append(lengthPrefixed: branches.span)
    try raw.execute(
      "UPDATE grp SET counter = ?, tag = ?, branches = ? WHERE group_id = ?",
      [
        .integer(counter), .blob(try expand(manifest, .manifestTag, covered)), .blob(branches),
        .blob(groupID),
      ]
    )
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

  private func expand(_ key: Expander, _ label: Label, _ context: [UInt8]) throws -> [UInt8] {
    let bytes = try key.expand(label) { hmac throws(CryptoError) in try hmac.update(context.span) }
    return bytes.indices.map { bytes[$0] }
  }

  private func bigEndian(_ value: Int64, _ count: Int) -> [UInt8] {
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
