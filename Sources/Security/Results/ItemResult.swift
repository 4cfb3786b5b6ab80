import Foundation
import SecretVault

/// The shape in which an item that was found is handed out.
struct ItemResult {
  let found: FoundItem
  let kind: ItemKind
  let returns: ReturnKinds

  /// The object that stands for the item, or `nil` where there is nothing to hand out.
  var object: CFTypeRef? {
    switch returns {
    case []: nil
    case .data: data.map { $0 as NSData }
    case .persistentReference: reference as NSData
    // Passwords are no objects of their own.
    case .reference: nil
    default: dictionary
    }
  }

  private var reference: Data { PersistentReference(found, kind: kind).data }

  /// The secret as the client gets it; from here on nobody wipes it.
  private var data: Data? {
    found.secret?.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { buffer in unsafe Data(buffer) }
    }
  }

  private var dictionary: NSDictionary {
    var entries: [String: Any] = returns.contains(.attributes) ? attributes : [:]
    if returns.contains(.data), let data { entries[Key.valueData] = data }
    if returns.contains(.persistentReference) { entries[Key.valuePersistentRef] = reference }
    if returns.contains(.reference) { entries[Key.itemClass] = kind.classText }
    return entries as NSDictionary
  }

  private var attributes: [String: Any] {
    guard let item = found.item else { return [:] }
    var entries: [String: Any] = [
      Key.accessGroup: found.group,
      Key.synchronizable: NSNumber(value: item.isSynchronizable ? 1 : 0),
      Key.accessible: String(item.accessibility.constant),
      Key.accessControl: SecAccessControl(
        protection: String(item.accessibility.constant),
        flags: []
      ),
    ]
    for (key, rule) in AttributeRule.rules(of: kind) {
      if let value = item[rule.attribute] { entries[key] = rule.result(of: value) }
    }
    return entries
  }
}
