import VaultFormat

/// Where groups were at one moment, as far as this process had verified.
///
/// It is noted before a read transaction begins: what other threads verify while that lasts can be later than what it sees,
/// which would look rolled back beside it.
struct KnownSnapshots {
  private let byGroup: [Identifier: GroupSnapshot]

  init(of groups: [OpenGroup]) {
    byGroup = Dictionary(
      groups.map { ($0.scope.groupID, $0.snapshot) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Where a group was; one that was not there then is taken as it is now.
  subscript(group: OpenGroup) -> GroupSnapshot {
    byGroup[group.scope.groupID] ?? group.snapshot
  }
}
