import Foundation
import SecretVault

/// Which items a client asks for.
struct KeychainQuery {
  let kind: ItemKind
  let attributes: QueryAttributes
  let persistentReference: PersistentReference?
  /// The dictionary itself, for what only some calls accept.
  let entries: KeychainEntries

  /// - Throws: `errSecParam` without a class or a reference, `errSecNoSuchClass` where the two disagree, and
  ///   what reading the parts throws.
  init(_ dictionary: CFDictionary) throws(KeychainError) {
    entries = try KeychainEntries(dictionary)
    var itemClass: ItemKind?
    if let given = entries.itemClass { itemClass = try ItemKind(itemClass: given) }
    let values = try QueryValues(entries.values)
    var reference: PersistentReference?
    if let data = values.persistentReference { reference = try PersistentReference(data) }
    guard let kind = itemClass ?? reference?.kind else { throw .parameter }
    if let reference, reference.kind != kind { throw KeychainError(errSecNoSuchClass) }
    self.kind = kind
    persistentReference = reference
    attributes = try QueryAttributes(entries, of: kind)
  }

  /// What the vault is asked for, in some access groups.
  func search(in groups: [String]) -> ItemSearch {
    var search = ItemSearch(kind: kind, groups: groups)
    search.attributes = attributes.values
    search.accessibility = attributes.protection.accessibility
    search.itemID = persistentReference?.itemID
    search.isSynchronizable =
      switch attributes.synchronizable {
      case .yes: true
      case .no: false
      case .any: nil
      // A reference names one item, whichever it is.
      case nil: persistentReference == nil ? false : nil
      }
    return search
  }
}
