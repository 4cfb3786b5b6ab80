import VaultCrypto
import VaultDatabase
import VaultFormat

/// What the readers of a store's changes know together.
struct ObservedState {
  /// What is to follow from a look at newer states.
  struct Advance {
    fileprivate var change = NetChange()
    fileprivate var updates: [Identifier: ObservedGroup.Update] = [:]
    fileprivate var restarts: [Identifier: ObservedGroup] = [:]
    /// Whether something changed of which no item can be told.
    fileprivate var hasUnknownChange = false
  }

  private var groups: [Identifier: ObservedGroup] = [:]
  private var names = ToldNames()
  /// Whether the vault could not be verified when it was looked at last.
  private var isLost = false

  /// Compares the known states with newer ones, inside a transaction that sees those.
  ///
  /// A group that was not known so far is read whole.
  func advance(
    to states: [(group: OpenGroup, snapshot: GroupSnapshot)],
    using session: Session
  ) throws(VaultError) -> Advance {
    var advance = Advance()
    for (group, snapshot) in states {
      let id = group.scope.groupID
      guard let known = groups[id], known.snapshot.epoch == snapshot.epoch else {
        advance.hasUnknownChange = true
        advance.restarts[id] = try ObservedGroup(group, at: snapshot, using: session)
        continue
      }
      guard known.snapshot.tag != snapshot.tag else { continue }
      if known.isTooLarge || snapshot.branches.totalItems > ObservedGroup.itemLimit {
        advance.hasUnknownChange = true
        advance.restarts[id] = try ObservedGroup(group, at: snapshot, using: session)
      } else {
        advance.updates[id] = try known.update(
          group,
          to: snapshot,
          using: session,
          noting: &advance.change
        )
      }
    }
    return advance
  }

  /// Goes to the newer states.
  mutating func apply(_ advance: Advance) {
    isLost = false
    for (id, update) in advance.updates { groups[id]?.apply(update) }
    for (id, group) in advance.restarts { groups[id] = group }
  }

  /// What is to be told, as seen inside the same transaction.
  mutating func events(
    of advance: Advance,
    in open: OpenGroups,
    formerNames: [Identifier: ItemIdentity] = [:],
    using session: Session
  ) -> [BufferedEvent] {
    if advance.hasUnknownChange || advance.change.count > EventBuffer.capacity {
      return [.vault(.anythingMayHaveChanged)]
    }
    let telling = Telling(change: advance.change, open: open, formerNames: formerNames)
    return telling.events(using: session, remembering: &names)
  }

  /// Whether every one of the groups is followed under its present keys.
  func follows(_ groups: [OpenGroup]) -> Bool {
    groups.allSatisfy { self.groups[$0.scope.groupID]?.snapshot.epoch == $0.scope.epoch }
  }

  /// Starts again from nothing after the vault could not be verified.
  mutating func lose() -> [BufferedEvent] {
    defer { isLost = true }
    groups = [:]
    // Told once, until it can be verified again.
    return isLost ? [] : [.vault(.anythingMayHaveChanged)]
  }

  /// Drops the names that a lock closes, or all.
  mutating func forgetNames(ofEveryClass: Bool) {
    names.forget(ofEveryClass: ofEveryClass)
  }
}

/// Puts a net change into words.
private struct Telling {
  let change: NetChange
  let open: OpenGroups
  let formerNames: [Identifier: ItemIdentity]

  /// What was set by ascending version within each group, and removals last.
  func events(
    using session: Session,
    remembering names: inout ToldNames
  ) -> [BufferedEvent] {
    let moved = change.movedItems
    var events: [BufferedEvent] = []
    for group in open.groups {
      let places = change.stored.filter { $0.group.scope.groupID == group.scope.groupID }
      for place in places.sorted(by: { $0.claim.version < $1.claim.version }) {
        let id = place.claim.itemID
        let isRenamed = moved.contains(id)
        let former = isRenamed ? formerName(of: place, names) : nil
        let name = name(of: place, using: session)
        names[id] = name
        events.append(
          .item(
            ItemEvent(
              kind: isRenamed ? .itemRenamed : .itemSet,
              id: id,
              version: place.claim.version,
              group: group.name,
              name: name,
              formerName: former
            )
          )
        )
      }
    }
    for place in change.removed {
      let id = place.claim.itemID
      events.append(
        .item(
          ItemEvent(
            kind: .itemRemoved,
            id: id,
            version: place.snapshot.counter,
            group: place.group.name,
            name: formerName(of: place, names)
          )
        )
      )
      names[id] = nil
    }
    return events
  }

  private func formerName(of place: NetChange.Place, _ names: ToldNames) -> SecretItem? {
    guard let identity = formerNames[place.claim.itemID],
      let accessibility = ClassByte(rawValue: place.claim.accessibility)
    else { return names[place.claim.itemID] }
    var named = identity
    named.group = identity.group ?? place.group.name
    return SecretItem(identity: named, accessibility: Accessibility(accessibility))
  }

  /// Reads what names an item; `nil` where its class or this device does not allow it now.
  private func name(of place: NetChange.Place, using session: Session) -> SecretItem? {
    let row = place.claim.bytes
    do throws(VaultError) {
      _ = try session.requireAccess(to: row.span, open: open, in: place.group)
      let reading = try session.readItem(row.span, at: place.snapshot, in: place.group)
      guard case .done(let item) = reading else { return nil }
      return item.withNameOnly
    } catch {
      return nil
    }
  }
}
