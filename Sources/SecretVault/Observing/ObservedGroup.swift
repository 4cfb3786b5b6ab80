import VaultFormat

/// The last state of a group that readers of the changes know of, with all of its claims.
struct ObservedGroup: Sendable {
  /// Up to this many items are followed one by one; the claims of a larger group would take more than 32 MiB.
  static let itemLimit: UInt64 = 300_000

  private(set) var snapshot: GroupSnapshot
  private var branches: [UInt16: Branch] = [:]
  private var pages: [UInt16: ClaimPage] = [:]

  /// Reads the claims of a state, inside a transaction that sees it.
  init(
    _ group: OpenGroup,
    at snapshot: GroupSnapshot,
    using session: Session
  ) throws(VaultError) {
    self.snapshot = snapshot
    guard !isTooLarge else { return }
    for entry in snapshot.branches.entries {
      guard let branch = try session.branch(entry.number, in: snapshot, of: group) else { continue }
      branches[entry.number] = branch
      for page in branch.pages { pages[page.number] = try session.page(page, of: group) }
    }
  }

  /// Whether only the fact of a change is told.
  var isTooLarge: Bool { snapshot.branches.totalItems > Self.itemLimit }

  /// What is to replace parts of an observed state.
  struct Update {
    let snapshot: GroupSnapshot
    fileprivate var branches: [UInt16: Branch?] = [:]
    fileprivate var pages: [UInt16: ClaimPage?] = [:]
  }

  /// Compares with a newer state, inside a transaction that sees it: branches by their tags, then pages, and the
  /// claims of those pages only that differ.
  func update(
    _ group: OpenGroup,
    to snapshot: GroupSnapshot,
    using session: Session,
    noting change: inout NetChange
  ) throws(VaultError) -> Update {
    var update = Update(snapshot: snapshot)
    for number in 0..<Limits.branches {
      let known = self.snapshot.branches.branch(number)
      guard known?.tag != snapshot.branches.branch(number)?.tag else { continue }
      let old = branches[number]
      let new = try session.branch(number, in: snapshot, of: group)
      update.branches[number] = .some(new)
      let numbers = Set((old?.pages ?? []).map(\.number) + (new?.pages ?? []).map(\.number))
      for page in numbers.sorted() {
        let entry = new?.page(page)
        guard old?.page(page)?.tag != entry?.tag else { continue }
        let claims = try entry.map { entry throws(VaultError) in
          try session.page(entry, of: group)
        }
        update.pages[page] = .some(claims)
        do { try change.compare(pages[page], claims, of: group, at: snapshot) } catch {
          throw VaultError(translating: error)
        }
      }
    }
    return update
  }

  /// Goes to the newer state.
  mutating func apply(_ update: Update) {
    snapshot = update.snapshot
    for (number, branch) in update.branches { branches[number] = branch }
    for (number, page) in update.pages { pages[number] = page }
  }
}
