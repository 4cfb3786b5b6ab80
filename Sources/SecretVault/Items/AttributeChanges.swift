import SecretMemory
import VaultFormat

/// Values of attributes that are to be set or, where they are `nil`, removed; each tag is there once.
struct AttributeChanges {
  private let list: [(tag: AttributeTag, bytes: [UInt8]?)]

  init(_ list: [(tag: AttributeTag, bytes: [UInt8]?)]) {
    self.list = list.sorted { $0.tag < $1.tag }
  }

  /// Writes a validated list anew with the changes, however long: limits are checked when the item is stored.
  func apply(to old: Span<UInt8>) -> WipedBytes {
    var new: [UInt8] = []
    // In one piece, since what is copied when an array grows is not wiped.
    new.reserveCapacity(old.count + list.reduce(0) { $0 + ($1.bytes?.count ?? 0) + 5 })
    defer { ConstantTime.wipe(&new) }
    var changes = list[...]
    // The list was validated when it was taken, so this walk cannot fail.
    try? AttributeCoding.forEach(in: old) { tag, range in
      while let change = changes.first, change.tag < tag {
        Self.append(change, to: &new)
        changes.removeFirst()
      }
      if changes.first?.tag != tag { Self.append(tag, old.extracting(range), to: &new) }
    }
    for change in changes { Self.append(change, to: &new) }
    return WipedBytes(copying: new.span)
  }

  private static func append(
    _ change: (tag: AttributeTag, bytes: [UInt8]?),
    to list: inout [UInt8]
  ) {
    if let bytes = change.bytes { append(change.tag, bytes.span, to: &list) }
  }

  private static func append(
    _ tag: AttributeTag,
    _ value: Span<UInt8>,
    to list: inout [UInt8]
  ) {
    list.append(tag.rawValue)
    list.append(lengthPrefixed: value)
  }
}
