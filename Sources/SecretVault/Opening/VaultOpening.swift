import VaultCrypto
import VaultDatabase
import VaultFormat

/// What a credential opened, before it is put to use.
struct OpenedVault: ~Copyable {
  let open: OpenGroups
  /// The root key, where the slot gave it and the caller wants to administer.
  var root: Key<Role.Root>?
  let slot: SlotRecord
  let contents: VaultContents
}

/// Opens a vault with a credential, step by step: the cheap refusals first, then the slow derivation, then
/// the verification against what this machine remembers.
struct VaultOpening {
  let store: SecretStore
  let credential: Credential
  /// The slot that the credential opens, where it was made just now and its key is known.
  var made: MadeSlot?
  /// Keeps the root key for the caller.
  var keepsRoot = false
  /// Takes the file as it is, whatever this machine remembers.
  var acceptsAnyPosition = false

  /// - Throws: ``VaultError``: `corruptHeader`, `kdfRefused`, `credentialRejected`, `tampered`,
  ///   `rolledBack`, `forked`, `vaultReplaced` and what reading the file can throw.
  func run(_ session: Session) throws(VaultError) -> OpenedVault {
    try credential.validate()
    let slotKeys = try SlotKeys(
      credential,
      state: store.options.stateFolder(rules: store.location.rules),
      random: store.random,
      made: made
    )
    // Another process may change the head while the passphrase is stretched; what was derived is kept.
    while true {
      let contents = try read(session)
      try requireKnownVault(contents)
      let candidates = slotKeys.candidates(among: contents.slots, only: store.options.slot)
      try requireAcceptableCost(candidates)
      if let opened = try tryToOpen(contents, candidates, slotKeys, session) { return opened }
    }
  }

  private func read(_ session: Session) throws(VaultError) -> VaultContents {
    try session.inReadTransaction { () throws(VaultError) in
      let contents = try VaultContents(reading: session.connection)
      try contents.requireSharing(with: store.options.sharedWith)
      return contents
    }
  }

  private func requireAcceptableCost(_ slots: [SlotRecord]) throws(VaultError) {
    let limit = store.options.kdfLimit.map { UInt64(1) << UInt64(max(0, min($0, 40))) }
    let cost = slots.reduce(UInt64(0)) { $0 + $1.cost }
    guard cost <= limit ?? Limits.totalCost else { throw VaultError(.kdfRefused) }
  }

  private func requireKnownVault(_ contents: VaultContents) throws(VaultError) {
    guard !acceptsAnyPosition, let anchors = store.anchors else { return }
    if let known = try anchors.vaultID(at: store.location.path), known != contents.head.vaultID {
      throw VaultError(.vaultReplaced)
    }
  }

  /// - Returns: `nil` where the head changed meanwhile.
  private func tryToOpen(
    _ contents: VaultContents,
    _ candidates: [SlotRecord],
    _ slotKeys: SlotKeys,
    _ session: Session
  ) throws(VaultError) -> OpenedVault? {
    for slot in candidates where slot.scope == .zero {
      guard let root = try slotKeys.open(slot, of: contents, as: Role.Root.self)
      else { continue }
      return try openWhole(contents, slot, root, session)
    }
    var opening: [SlotRecord] = []
    for slot in candidates where slot.scope != .zero {
      if try slotKeys.open(slot, of: contents, as: Role.Group.self) != nil {
        opening.append(slot)
      }
    }
    guard let first = opening.first else { throw VaultError(.credentialRejected) }
    let groups = try openGroups(contents, opening, slotKeys, session)
    return groups.map {
      OpenedVault(open: $0.groups, root: nil, slot: first, contents: $0.contents)
    }
  }

  private func openWhole(
    _ before: VaultContents,
    _ slot: SlotRecord,
    _ root: consuming Key<Role.Root>,
    _ session: Session
  ) throws(VaultError) -> OpenedVault? {
    let vaultID = before.head.vaultID
    // Nothing is made in the state folder for groups that only the file names.
    try before.requireAdminTag(root)
    // Read before the state that they are compared with, so that a busy writer raises no false alarm.
    let rootAnchor = try store.anchor(vaultID, scope: .zero)
    let anchors = try before.groups.map { group throws(VaultError) in
      try store.anchor(vaultID, scope: group.id)
    }
    let device = try store.deviceKey()
    let open = try session.inReadTransaction {
      () throws(VaultError) -> (VaultContents, OpenGroups)? in
      let contents = try VaultContents(reading: session.connection)
      guard contents.hasSameHead(as: before) else { return nil }
      try contents.requireAdminTag(root)
      try require(contents.rootPosition, follows: rootAnchor)
      let opening = GroupOpening(
        vaultID: vaultID,
        connection: session.connection,
        cipher: session.cipher.gcm
      )
      var open = OpenGroups()
      open.isWhole = true
      open.isShared = store.options.sharedWith != nil
      for (index, record) in contents.groups.enumerated() {
        let group = try opening.open(
          contents.groupRows[index],
          record,
          key: try opening.groupKey(of: record, root: root),
          device: device,
          anchor: anchors[index]
        )
        try require(group.snapshot.verified, follows: anchors[index])
        open.groups.append(group)
      }
      open.deviceID = try deviceID(device, vaultID)
      return (contents, open)
    }
    guard let (contents, groups) = open else { return nil }
    remember(contents, groups, rootAnchor: rootAnchor, session)
    noteWeakness(of: slot)
    var kept: Key<Role.Root>?
    if keepsRoot {
      do { kept = try root.duplicate() } catch { throw VaultError(translating: error) }
    }
    return OpenedVault(open: groups, root: kept, slot: slot, contents: contents)
  }

  /// What names this machine's key in a vault.
  func deviceID(
    _ device: borrowing Key<Role.Device>?,
    _ vaultID: Identifier
  ) throws(VaultError) -> Identifier? {
    switch device {
    case .none: return nil
    case .some(let device):
      do {
        return Identifier(try device.deviceID(vaultID: vaultID.bytes.span))
      } catch {
        throw VaultError(translating: error)
      }
    }
  }

  /// Tells where a slot's passphrase costs less to try than one that is made today.
  func noteWeakness(of slot: SlotRecord) {
    if slot.factors.contains(.passphrase), slot.logN < Limits.smallestWrittenLogN {
      store.note(.weakSlot)
    }
  }
}
