package import SecretVault

extension OutgoingMessage {
  /// Writes the items and counts of a listing, or of a part of one.
  mutating func append(_ listing: ItemListing) {
    append(UInt32(clamping: listing.items.count))
    for item in listing.items { append(item) }
    append(UInt64(clamping: listing.lockedCount))
    append(UInt64(clamping: listing.otherDeviceCount))
    append(UInt64(clamping: listing.unsupportedCount))
  }
}

extension MessageReader {
  /// Reads a listing, or a part of one.
  mutating func listing() throws(MalformedMessage) -> ItemListing {
    var listing = ItemListing()
    for _ in 0..<(try integer(as: UInt32.self)) { listing.items.append(try item()) }
    listing.lockedCount = Int(clamping: try integer(as: UInt64.self))
    listing.otherDeviceCount = Int(clamping: try integer(as: UInt64.self))
    listing.unsupportedCount = Int(clamping: try integer(as: UInt64.self))
    return listing
  }
}

extension ItemListing {
  /// A part is closed when its items have this many bytes, so that with one more item it stays a legal frame.
  private static let partByteCount = FrameLimit.ordinary

  /// Cuts the listing into parts that fit into frames and hands them on, in order; the last one has the counts.
  package func forEachPart<Failure: Error>(
    _ body: (ItemListing, _ isLast: Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var part = ItemListing()
    var byteCount = 0
    var bytes: [UInt8] = []
    for item in items {
      bytes.removeAll(keepingCapacity: true)
      item.appendTransfer(to: &bytes)
      part.items.append(item)
      byteCount += bytes.count
      guard byteCount > Self.partByteCount else { continue }
      try body(part, false)
      part = ItemListing()
      byteCount = 0
    }
    part.lockedCount = lockedCount
    part.otherDeviceCount = otherDeviceCount
    part.unsupportedCount = unsupportedCount
    try body(part, true)
  }

  /// Adds the next part.
  package mutating func append(_ part: ItemListing) {
    items += part.items
    lockedCount = part.lockedCount
    otherDeviceCount = part.otherDeviceCount
    unsupportedCount = part.unsupportedCount
  }
}
