import VaultCrypto
import VaultDatabase
import VaultFormat

/// Keyed contexts of one group, which are as good as its keys.
final class GroupContexts {
  let groupID: Identifier
  let index: Expander
  let manifest: Expander
  private var attributeLeaves: [HMAC?]
  private var secretLeaves: [HMAC?]
  /// Here and not with the group, so that threads do not count references to the same arrays.
  private let prefixes: [[UInt8]]

  init(_ group: OpenGroup) throws(CryptoError) {
    groupID = group.scope.groupID
    index = try group.keys.index.expander()
    manifest = try group.keys.manifest.expander()
    attributeLeaves = Array(repeating: nil, count: ClassByte.allCases.count)
    secretLeaves = attributeLeaves
    prefixes = BoxPart.allCases.map { part in
      var prefix = part.label.tag
      group.scope.vaultID.append(to: &prefix)
      group.scope.groupID.append(to: &prefix)
      return prefix
    }
  }

  /// What the context of a part's box starts with: label, vault and group.
  func prefix(_ part: BoxPart) -> [UInt8] { prefixes[part.index] }

  func leaf(
    _ accessibility: ClassByte,
    isAttributes: Bool,
    keys: borrowing GroupKeys
  ) throws(CryptoError) -> HMAC? {
    let index = accessibility.index
    if let known = isAttributes ? attributeLeaves[index] : secretLeaves[index] { return known }
    let made = try keys.leafContext(accessibility, isAttributes: isAttributes)
    if isAttributes { attributeLeaves[index] = made } else { secretLeaves[index] = made }
    return made
  }

  func forgetLockedClasses() {
    for accessibility in ClassByte.allCases where accessibility.isLockedWhenLocked {
      attributeLeaves[accessibility.index] = nil
      secretLeaves[accessibility.index] = nil
    }
  }
}
