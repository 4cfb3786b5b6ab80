import VaultDatabase
import VaultFormat

/// What was opened, and what this machine remembers of it.
extension VaultOpening {
  /// Throws unless a state can have followed what this machine remembers, where it remembers any.
  func require(
    _ verified: VerifiedPosition,
    follows anchor: Anchor?
  ) throws(VaultError) {
    if acceptsAnyPosition { return }
    if let known = anchor?.remembered {
      try verified.requireSuccessor(of: known)
    } else if made != nil {
      // It was made here just now.
    } else if store.options.requiresAnchor {
      throw VaultError(
        .rolledBack,
        "the vault was never seen on this machine and --require-anchor was given; open it once without"
      )
    } else if anchor != nil {
      store.note(.firstSeen)
    }
  }

  /// Lets this machine remember the state that was opened.
  func remember(
    _ contents: VaultContents,
    _ open: OpenGroups,
    rootAnchor: Anchor?,
    _ session: Session
  ) {
    if acceptsAnyPosition { return }
    var news: [(anchor: Anchor, verified: VerifiedPosition)] = []
    if let rootAnchor { news.append((rootAnchor, contents.rootPosition)) }
    for group in open.groups {
      if let anchor = group.anchor { news.append((anchor, group.snapshot.verified)) }
    }
    news.removeAll { $0.anchor.remembered == $0.verified }
    do {
      // A writer that was killed may have left a commit that is not durable yet, and an anchor is never ahead.
      if !news.isEmpty { try session.connection.synchronizeLog() }
      for (anchor, verified) in news { store.advance(anchor, to: verified) }
      try store.anchors?.record(contents.head.vaultID, at: store.location.path)
    } catch {
      store.note(.anchorNotWritten)
    }
  }
}
