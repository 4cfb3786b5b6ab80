import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Which keys are replaced, by the epochs of those that take their place.
struct RotationPlan {
  /// The epoch of the new root key, or `nil` where the root key stays.
  var rootEpoch: UInt64?
  /// The epochs of the new group keys; with a new root key every group has one.
  var groupEpochs: [Identifier: UInt64] = [:]

  /// Plans what a user asked for.
  ///
  /// - Throws: ``VaultError`` with the code `invalidArgument` where there is no such group.
  init(
    _ rotation: Rotation,
    _ contents: VaultContents,
    findGroup find: (String) throws(VaultError) -> GroupRecord?
  ) throws(VaultError) {
    if let name = rotation.group {
      guard let group = try find(name) else {
        throw VaultError(.invalidArgument, "there is no such access group; list the groups")
      }
      groupEpochs[group.id] = try Self.next(after: group.epoch)
    } else {
      rootEpoch = try Self.next(after: contents.head.rootEpoch)
      for group in contents.groups { groupEpochs[group.id] = try Self.next(after: group.epoch) }
    }
  }

  /// Plans new keys for what has older ones in an accepted file than were seen before.
  ///
  /// An old key may be that of someone who was removed.
  init(
    accepting contents: VaultContents,
    insteadOf latest: [Identifier: VerifiedPosition]
  ) throws(VaultError) {
    if let root = latest[.zero], contents.head.rootEpoch < root.position.epoch {
      rootEpoch = try Self.next(after: root.position.epoch)
    }
    for group in contents.groups {
      let seen = latest[group.id]?.position.epoch ?? 0
      guard rootEpoch != nil || group.epoch < seen else { continue }
      groupEpochs[group.id] = try Self.next(after: max(group.epoch, seen))
    }
  }

  var isEmpty: Bool { rootEpoch == nil && groupEpochs.isEmpty }

  /// Whether a slot gives one of the keys that are replaced.
  func reaches(_ slot: SlotRecord) -> Bool {
    slot.scope == .zero ? rootEpoch != nil : groupEpochs[slot.scope] != nil
  }

  /// The epoch that follows.
  ///
  /// - Throws: ``VaultError`` with the code `limitExceeded` after 2^62.
  private static func next(after epoch: UInt64) throws(VaultError) -> UInt64 {
    guard epoch < Limits.counters.upperBound else {
      throw VaultError(.limitExceeded, "the keys cannot be changed again; export to a new vault")
    }
    return epoch + 1
  }
}

/// The keys of a vault after a rotation.
struct RotatedKeys: ~Copyable {
  /// The new root key, or a copy of the one that stays.
  let root: Key<Role.Root>
  /// The groups that get a new key.
  let groups: [RotatedGroup]

  /// Makes the new keys; nothing is written yet.
  init(
    _ plan: RotationPlan,
    _ contents: VaultContents,
    _ open: [OpenGroup],
    _ rights: borrowing VaultAdministration.Rights,
    _ store: SecretStore
  ) throws(VaultError) {
    let device = try store.deviceKey()
    do {
      let root: Key<Role.Root> =
        plan.rootEpoch == nil ? try rights.root.duplicate() : try .random(from: store.random)
      var groups: [RotatedGroup] = []
      for (record, row) in zip(contents.groups, contents.groupRows) {
        guard let epoch = plan.groupEpochs[record.id],
          let group = open.first(where: { $0.scope.groupID == record.id })
        else { continue }
        let scope = ManifestScope(vaultID: rights.vaultID, groupID: record.id, epoch: epoch)
        var name = try Self.name(of: record, row, rights)
        defer { ConstantTime.wipe(&name) }
        groups.append(
          try RotatedGroup(
            group,
            scope,
            name: name,
            root: root,
            device: device,
            GroupMaking(
              vaultID: rights.vaultID,
              random: store.random,
              cipher: rights.session.cipher.gcm
            )
          )
        )
      }
      self.root = root
      self.groups = groups
    } catch {
      throw VaultError(translating: error)
    }
  }

  private static func name(
    of record: GroupRecord,
    _ row: GroupRow,
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> [UInt8] {
    let opening = GroupOpening(
      vaultID: rights.vaultID,
      connection: rights.session.connection,
      cipher: rights.session.cipher.gcm
    )
    let key = try opening.groupKey(of: record, root: rights.root)
    let scope = ManifestScope(vaultID: rights.vaultID, groupID: record.id, epoch: record.epoch)
    guard let name = opening.name(in: row, scope, key: key) else {
      throw VaultError(.tampered, "the name of an access group is damaged; restore a backup")
    }
    return name
  }
}

/// An access group on its way from one key to the next.
final class RotatedGroup {
  /// The group under its former key.
  let old: OpenGroup
  /// The group under its new key, for sealing; it has no state of its own before the commit.
  let new: OpenGroup
  let key: Key<Role.Group>
  let record: GroupRecord
  /// The name, sealed anew.
  let name: [UInt8]
  /// What was sealed before the commit, by the claim that it was sealed for.
  var resealed: [Claim: SealedRow] = [:]

  fileprivate init(
    _ old: OpenGroup,
    _ scope: ManifestScope,
    name: [UInt8],
    root: borrowing Key<Role.Root>,
    device: borrowing Key<Role.Device>?,
    _ making: GroupMaking
  ) throws {
    let key = try Key<Role.Group>.random(from: making.random)
    record = try making.wrap(key, scope: scope, root: root)
    self.name = try PaddedText.seal(
      name,
      with: key.nameKey().sealingContext(),
      context: GroupOpening.nameContext(scope),
      random: making.random,
      using: making.cipher
    )
    new = OpenGroup(
      scope: scope,
      row: old.row,
      keys: try GroupKeys(key, device: device, vaultID: scope.vaultID, groupID: scope.groupID),
      name: nil,
      nameTag: .zero,
      anchor: old.anchor,
      snapshot: old.snapshot
    )
    self.key = key
    self.old = old
  }

  /// The state that the group's pages are written over: what it was, without items and under the new key.
  func start(from base: GroupSnapshot) -> GroupSnapshot {
    GroupSnapshot(
      epoch: new.scope.epoch,
      counter: base.counter,
      tag: .zero,
      name: name,
      state: base.state,
      branches: BranchTable()
    )
  }
}
