import SecretMemory
import VaultCrypto
import VaultFormat

/// The tags that authenticate what a group holds: over pages, branches, and the manifest.
struct ManifestScope: Sendable {
  let vaultID: Identifier
  let groupID: Identifier
  let epoch: UInt64

  /// The tag over the claims of one page.
  func pageTag(_ page: ClaimPage, using manifest: Expander) throws(CryptoError) -> Digest {
    Digest(
      try manifest.expand(.pageTag) { hmac throws(CryptoError) in
        try feedScope(to: hmac)
        try hmac.update(page.number)
        try hmac.update(UInt32(clamping: page.count))
        try hmac.update(page.rows.span)
      }
    )
  }

  /// The tag over the page tags of one branch.
  func branchTag(_ branch: Branch, using manifest: Expander) throws(CryptoError) -> Digest {
    var covered: [UInt8] = []
    branch.append(to: &covered)
    return Digest(
      try manifest.expand(.branchTag) { hmac throws(CryptoError) in
        try feedScope(to: hmac)
        try hmac.update(covered.span)
      }
    )
  }

  /// The tag over everything the group holds at one commit.
  func manifestTag(
    counter: UInt64,
    items: UInt64,
    nameSalt: Span<UInt8>,
    state: Span<UInt8>,
    branches: Span<UInt8>,
    using manifest: Expander
  ) throws(CryptoError) -> Digest {
    Digest(
      try manifest.expand(.manifestTag) { hmac throws(CryptoError) in
        try feedScope(to: hmac)
        try hmac.update(counter)
        try hmac.update(items)
        try hmac.update(nameSalt)
        try hmac.update(UInt32(clamping: state.count))
        try hmac.update(state)
        try hmac.update(UInt32(clamping: branches.count))
        try hmac.update(branches)
      }
    )
  }

  /// Compares two tags in constant time.
  func areEqual(_ left: Digest, _ right: Digest) -> Bool {
    ConstantTime.equal(left.bytes.span, right.bytes.span)
  }

  private func feedScope(to hmac: HMAC) throws(CryptoError) {
    try hmac.update(vaultID.bytes.span)
    try hmac.update(groupID.bytes.span)
    try hmac.update(epoch)
  }
}
