import VaultFormat

/// What differs between two verified states of some groups, item by item.
struct NetChange {
  /// A claim, and the group and the state that hold it.
  struct Place {
    let claim: Claim
    let group: OpenGroup
    let snapshot: GroupSnapshot
  }

  /// The items that are new or not as they were, at the newer state.
  private(set) var stored: [Place] = []
  /// The places of the older state that are empty now, or have another item.
  private(set) var emptied: [Place] = []

  var count: Int { stored.count + emptied.count }

  /// Compares two states of one page; both are sorted by lookup.
  mutating func compare(
    _ old: ClaimPage?,
    _ new: ClaimPage?,
    of group: OpenGroup,
    at snapshot: GroupSnapshot
  ) throws(FormatError) {
    var before = try ClaimWalk(old)
    var after = try ClaimWalk(new)
    func place(_ claim: Claim) -> Place { Place(claim: claim, group: group, snapshot: snapshot) }
    while true {
      switch (before.claim, after.claim) {
      case (nil, nil): return
      case (let claim?, nil):
        emptied.append(place(claim))
        try before.advance()
      case (nil, let claim?):
        stored.append(place(claim))
        try after.advance()
      case (let old?, let new?) where old.lookup < new.lookup:
        emptied.append(place(old))
        try before.advance()
      case (let old?, let new?) where new.lookup < old.lookup:
        stored.append(place(new))
        try after.advance()
      case (let old?, let new?):
        if old.itemID != new.itemID { emptied.append(place(old)) }
        if old != new { stored.append(place(new)) }
        try before.advance()
        try after.advance()
      }
    }
  }

  /// The items that were removed: their places are empty, and they are at no other.
  var removed: [Place] {
    let moved = Set(stored.map(\.claim.itemID))
    return emptied.filter { !moved.contains($0.claim.itemID) }
  }

  /// The items that went to another place, in this or another group.
  var movedItems: Set<Identifier> { Set(emptied.map(\.claim.itemID)) }
}

/// One claim after the other of a page, without tombstones.
private struct ClaimWalk {
  private let page: ClaimPage?
  private var index = 0
  private(set) var claim: Claim?

  init(_ page: ClaimPage?) throws(FormatError) {
    self.page = page
    try advance()
  }

  mutating func advance() throws(FormatError) {
    claim = nil
    while let page, index < page.count, claim == nil {
      let next = try page.claim(at: index)
      index += 1
      if !next.flags.contains(.tombstone) { claim = next }
    }
  }
}
