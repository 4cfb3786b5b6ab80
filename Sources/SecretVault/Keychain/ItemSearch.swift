import SecretMemory
import VaultFormat

/// Which items a keychain call is about; every criterion that is set must hold.
package struct ItemSearch: Sendable {
  /// Generic or internet passwords.
  package var kind: ItemKind
  /// The names of the access groups to look in, in this order.
  package var groups: [String]
  /// Whether the item is synchronizable; `nil` for both.
  package var isSynchronizable: Bool?
  /// The accessibility class.
  package var accessibility: Accessibility?
  /// The values that attributes must have, byte for byte.
  package var attributes: [ItemAttribute: AttributeValue] = [:]
  /// The permanent name of one item, 16 bytes.
  package var itemID: [UInt8]?
  /// How many items are wanted at most; `nil` for all.
  package var limit: Int?

  /// Starts with every item of a kind in some groups.
  package init(kind: ItemKind, groups: [String]) {
    self.kind = kind
    self.groups = groups
  }
}

extension ItemSearch {
  /// The names of the items that can match, or `nil` where the search does not give a whole name.
  var lookupInputs: [LookupInput]? {
    guard itemID == nil else { return nil }
    let named = ItemAttribute.identity(of: kind).map { (tag: $0.tag, value: attributes[$0]) }
    guard named.allSatisfy({ $0.value != nil }) else { return nil }
    let choices = isSynchronizable.map { [$0] } ?? [false, true]
    return choices.map { choice in
      named.reduce(LookupInput.unnamed(kind, isSynchronizable: choice)) { input, part in
        input.replacing(part.tag, with: part.value?.bytes ?? [])
      }
    }
  }

  /// Whether what a row says in clear matches.
  func matches(_ row: ClearColumns) -> Bool {
    row.kind == kind.byte && (accessibility?.classByte ?? row.accessibility) == row.accessibility
      && (isSynchronizable ?? row.isSynchronizable) == row.isSynchronizable
      && itemID.map { $0 == row.itemID.array } ?? true
  }

  /// Whether the attributes of an item match.
  func matches(_ item: SecretItem) -> Bool {
    item.attributes.withBytes { list in
      attributes.allSatisfy { attribute, value in
        guard let range = AttributeCoding.range(of: attribute.tag, in: list) else { return false }
        return ConstantTime.equal(list.extracting(range), value.bytes.span)
      }
    }
  }
}

/// What a row says of its item while it is locked.
struct ClearColumns {
  let kind: UInt8
  let accessibility: ClassByte
  let isSynchronizable: Bool
  let itemID: Identifier

  /// Reads a verified claim; `nil` for a class of a newer version, and for a tombstone.
  init?(_ claim: Claim) {
    guard let accessibility = ClassByte(rawValue: claim.accessibility),
      !claim.flags.contains(.tombstone)
    else { return nil }
    kind = claim.kind
    self.accessibility = accessibility
    isSynchronizable = claim.flags.contains(.synchronizable)
    itemID = claim.itemID
  }
}
