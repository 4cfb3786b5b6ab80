import SecretVault

/// What is done with the rows of a file, all in one transaction.
///
/// | row | outcome |
/// |---|---|
/// | a name that the vault does not have | added |
/// | a name that it has, with the same secret | unchanged |
/// | the same with another secret | exists, and the vault's item stays; with `--replace`, replaced |
/// | a name that an earlier row has, with all the same | unchanged |
/// | a name that an earlier row has, with anything else | conflict; the earlier row counts |
/// | what no item can be | refused |
/// | what is left out on purpose | skipped |
///
/// With `--replace` an item with the same secret gets the row's attributes too, where they differ; what the
/// row leaves out stays.
struct ImportPlan {
  let rows: [ImportRow]
  let replaces: Bool
  /// Whether outcomes are told and nothing is stored.
  let isDryRun: Bool

  /// Decides about every row and stores what is to be stored.
  ///
  /// - Throws: What the transaction throws; then nothing is stored.
  func run(in store: SecretStore) throws -> [ImportOutcome] {
    try store.transaction { transaction in
      var earlier: [ItemIdentity: ImportRow] = [:]
      return try rows.map { row in
        switch row.fate {
        case .refuse(let reason): return ImportOutcome(row, .refused, reason)
        case .skip(let reason): return ImportOutcome(row, .skipped, reason)
        case .store: break
        }
        let identity = row.item.identity
        if let first = earlier[identity] { return Self.outcome(of: row, after: first) }
        earlier[identity] = row
        return try outcome(of: row, named: identity, in: transaction)
      }
    }
  }

  private func outcome(
    of row: ImportRow,
    named identity: ItemIdentity,
    in transaction: StoreTransaction
  ) throws -> ImportOutcome {
    let known: SecretItem?
    do throws(VaultError) {
      known = try transaction.item(for: identity)
    } catch  where error.code == .notOnThisDevice {
      return ImportOutcome(row, .refused, "the vault's item is bound to another device")
    } catch  where error.code == .notPermitted {
      return ImportOutcome(row, .refused, "the credential opens no access group of that name")
    }
    guard let known else {
      if !isDryRun { try transaction.set(row.item, secret: row.secret) }
      return ImportOutcome(row, .added, row.remark)
    }
    let isSame = try Self.hasSecret(row.secret, identity, in: transaction)
    guard replaces else {
      return isSame == true
        ? ImportOutcome(row, .unchanged, nil)
        : ImportOutcome(
          row,
          .exists,
          isSame == nil
            ? "the vault's secret is not given out any more; --replace takes this one"
            : "the vault has another secret; --replace takes this one"
        )
    }
    let new = row.changing(known)
    if isSame == true, new.isEqual(to: known) { return ImportOutcome(row, .unchanged, nil) }
    if !isDryRun { try transaction.set(new, secret: row.secret) }
    return ImportOutcome(row, .replaced, row.remark)
  }

  private static func outcome(of row: ImportRow, after first: ImportRow) -> ImportOutcome {
    let place = "line \(first.line)"
    if row.item.isEqual(to: first.item), isEqual(row.secret, first.secret) {
      return ImportOutcome(row, .unchanged, "the same as \(place)")
    }
    return ImportOutcome(row, .conflict, "\(place) has this name too; rename one")
  }

  /// Whether the vault's item has a secret; `nil` where the vault does not give its secret out any more.
  private static func hasSecret(
    _ secret: SecretBytes?,
    _ identity: ItemIdentity,
    in transaction: StoreTransaction
  ) throws(VaultError) -> Bool? {
    do throws(VaultError) {
      return isEqual(secret, try transaction.secret(for: identity))
    } catch  where error.code == .expired || error.code == .needsRevalidation {
      return nil
    }
  }

  private static func isEqual(_ left: SecretBytes?, _ right: SecretBytes?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.constantTimeEquals(right)
  }
}

extension ImportRow {
  /// An item of the vault with what the row says about it.
  fileprivate func changing(_ known: SecretItem) -> SecretItem {
    var new = known
    if let accessibility { new.accessibility = accessibility }
    if let label = item.label { new.label = label }
    if let comment = item.comment { new.comment = comment }
    if let description = item.itemDescription { new.itemDescription = description }
    if let alias = item.alias { new.alias = alias }
    if let generic = item.generic { new.generic = generic }
    if let creator = item.creator { new.creator = creator }
    if let type = item.itemType { new.itemType = type }
    if let isInvisible = item.isInvisible { new.isInvisible = isInvisible }
    if let isNegative = item.isNegative { new.isNegative = isNegative }
    if let expires = item.expires { new.expires = expires }
    if item.versionsKept > 0 { new.versionsKept = item.versionsKept }
    if item.mustRevalidate { new.mustRevalidate = true }
    for number in UInt8(64)...127 {
      if let value = item[applicationAttribute: number] {
        new[applicationAttribute: number] = value
      }
    }
    return new
  }
}

extension SecretItem {
  /// Whether class and attributes are the same, byte for byte.
  fileprivate func isEqual(to other: SecretItem) -> Bool {
    accessibility == other.accessibility
      && attributes.withBytes { left in
        other.attributes.withBytes { right in
          left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] }
        }
      }
  }
}
