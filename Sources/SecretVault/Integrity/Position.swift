import VaultFormat

/// How far the history of a scope has come: its epoch, and the commits in all.
struct Position: Hashable, Comparable, Sendable {
  let epoch: UInt64
  let counter: UInt64

  static func < (left: Position, right: Position) -> Bool {
    (left.epoch, left.counter) < (right.epoch, right.counter)
  }
}

/// A position together with what authenticates it and who wrote up to it.
struct VerifiedPosition: Hashable, Sendable {
  let position: Position
  let tag: Digest
  let writers: Writers

  /// Throws unless this state can have followed the one that was seen before.
  ///
  /// - Throws: ``VaultError`` with the code `rolledBack` or `forked`, with both positions.
  func requireSuccessor(of known: VerifiedPosition) throws(VaultError) {
    if position < known.position {
      throw VaultError(
        .rolledBack,
        "the vault is older (\(text(self))) than last seen here (\(text(known))); "
          + "accept it with check --accept-restore"
      )
    }
    if position == known.position, tag == known.tag { return }
    guard position > known.position, writers.covers(known.writers) else {
      throw VaultError(
        .forked,
        "the vault (\(text(self))) and the one last seen here (\(text(known))) went separate ways; "
          + "accept it with check --accept-restore"
      )
    }
  }

  /// The later of two positions, with the writers of both; `nil` where there is neither.
  static func latest(
    _ first: VerifiedPosition?,
    _ second: VerifiedPosition?
  ) -> VerifiedPosition? {
    guard let first, let second else { return first ?? second }
    let later = first.position < second.position ? second : first
    return VerifiedPosition(
      position: later.position,
      tag: later.tag,
      writers: first.writers.merged(with: second.writers)
    )
  }

  private func text(_ verified: VerifiedPosition) -> String {
    "epoch \(verified.position.epoch), commit \(verified.position.counter)"
  }
}
