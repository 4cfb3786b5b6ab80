import VaultCrypto
import VaultDatabase
import VaultFormat

extension WorkingGroup {
  /// Writes pages, branches and the group's row, and returns the state that the commit makes.
  ///
  /// A commit that accepts a restored file says so in the state.
  func finish(isRestore: Bool = false) throws(VaultError) -> GroupSnapshot {
    do {
      let manifest = try session.contexts(of: group).manifest
      let table = try finishBranches(try finishPages(manifest), manifest)
      var state = base.state
      if isRestore { state.restored = version }
      if let acceptedWriters { state.writers = state.writers.merged(with: acceptedWriters) }
      try state.writers.record(holder: group.anchor?.holder ?? .zero, counter: version)
      let stateBytes = state.bytes
      let tableBytes = table.bytes
      let name = base.name
      let tag = try group.scope.manifestTag(
        counter: version,
        items: table.totalItems,
        nameSalt: name.span.extracting(GroupSnapshot.nameSaltRange),
        state: stateBytes.span,
        branches: tableBytes.span,
        using: manifest
      )
      try session.connection.updateGroupState(
        row: group.row,
        counter: Int64(clamping: version),
        tag: tag.bytes.span,
        state: stateBytes.span,
        branches: tableBytes.span
      )
      return GroupSnapshot(
        epoch: base.epoch,
        counter: version,
        tag: tag,
        name: base.name,
        state: state,
        branches: table
      )
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Writes the changed pages and returns the changed branches.
  private func finishPages(_ manifest: Expander) throws -> [UInt16: Branch] {
    var branches: [UInt16: Branch] = [:]
    for number in changed {
      guard let page = pages[number] else { continue }
      let branchNumber = ClaimPage.branch(of: number)
      var branch =
        try branches.removeValue(forKey: branchNumber)
        ?? session.branch(branchNumber, in: base, of: group)
        ?? newBranch(branchNumber)
      if page.count == 0 {
        _ = branch.remove(page: number)
        try session.connection.deletePage(group: groupID.bytes.span, number: Int(number))
      } else {
        let tag = try group.scope.pageTag(page, using: manifest)
        session.cache.insert(page, tag)
        let items = UInt32(clamping: page.count)
        try branch.set(PageEntry(number: number, items: items, tag: tag))
        try session.connection.putPage(
          group: groupID.bytes.span,
          PageRow(number: Int(number), items: page.count, tag: tag.bytes)
        )
      }
      branches[branchNumber] = branch
    }
    return branches
  }

  /// Starts a branch where there is none; pages in its range are nobody's, and must not come in with it.
  private func newBranch(_ number: UInt16) throws -> Branch {
    let first = Int(number) * Limits.pagesPerBranch
    try session.connection.deletePages(
      group: groupID.bytes.span,
      from: first,
      through: first + Limits.pagesPerBranch - 1
    )
    return try Branch(number: number, pages: [])
  }

  private func finishBranches(
    _ branches: [UInt16: Branch],
    _ manifest: Expander
  ) throws -> BranchTable {
    var table = base.branches
    for branch in branches.values { _ = table.remove(branch: branch.number) }
    for branch in branches.values where !branch.pages.isEmpty {
      let tag = try group.scope.branchTag(branch, using: manifest)
      session.cache.insert(branch, tag)
      try table.set(BranchEntry(number: branch.number, items: branch.items, tag: tag))
    }
    return table
  }
}
