import Foundation
import SecretVault

/// A reference to an item that lasts as long as the item: four letters of its class, and its 16-byte name.
struct PersistentReference {
  let kind: ItemKind
  let itemID: [UInt8]

  private static let classByteCount = 4
  private static let byteCount = classByteCount + 16

  init(_ found: FoundItem, kind: ItemKind) {
    self.kind = kind
    itemID = found.itemID
  }

  /// Reads a reference.
  ///
  /// - Throws: `errSecParam` for bytes that are none, the older form with a row number among them.
  init(_ data: Data) throws(KeychainError) {
    let bytes = Array(data)
    guard bytes.count == Self.byteCount,
      let text = String(validating: bytes[..<Self.classByteCount], as: UTF8.self),
      let kind = ItemKind(classText: text)
    else { throw .parameter }
    self.kind = kind
    itemID = Array(bytes[Self.classByteCount...])
  }

  var data: Data { Data(kind.classText.utf8 + itemID) }
}
