import SecretMemory
import VaultFormat

extension ItemQuery {
  /// Whether an item can match, as far as its claim tells.
  func matches(
    _ kind: ItemKind,
    _ accessibility: ClassByte,
    _ flags: ClaimFlags
  ) -> Bool {
    (self.kind ?? kind) == kind
      && (self.accessibility?.classByte ?? accessibility) == accessibility
      && (isSynchronizable ?? flags.contains(.synchronizable)) == flags.contains(.synchronizable)
      // The flag is bound into the boxes, and no item that expires is without it.
      && (expiringBefore == nil || flags.contains(.guarded))
  }

  fileprivate func matches(_ list: Span<UInt8>, kind: UInt8) -> Bool {
    let serviceTag: AttributeTag = kind == ItemKind.genericPassword.byte ? .service : .server
    return matches(service, serviceTag, list) && matches(account, .account, list)
      && expires(list)
  }

  private func expires(_ list: Span<UInt8>) -> Bool {
    guard let expiringBefore else { return true }
    guard let range = AttributeCoding.range(of: .expires, in: list),
      let moment: UInt64 = try? list.integer(at: range.lowerBound)
    else { return false }
    return moment < expiringBefore.millisecondsSince1970
  }

  private func matches(
    _ wanted: AttributeValue?,
    _ tag: AttributeTag,
    _ list: Span<UInt8>
  ) -> Bool {
    guard let wanted else { return true }
    guard let range = AttributeCoding.range(of: tag, in: list) else { return false }
    return ConstantTime.equal(list.extracting(range), wanted.bytes.span)
  }
}

extension RowCipher {
  /// Opens and verifies the attributes of a row; returns `nil` where they do not match.
  func item(
    _ box: Span<UInt8>,
    row: Span<UInt8>,
    in group: OpenGroup,
    named name: String?,
    matching query: ItemQuery
  ) throws(VaultError) -> SecretItem? {
    try withOpenAttributes(box, row: row, in: group) { list throws(VaultError) -> SecretItem? in
      try verifyAttributes(list, row: row, in: group)
      guard query.matches(list, kind: row[Claim.kindOffset]) else { return nil }
      return try SecretItem(row: row, list: list, group: name)
    }
  }
}
