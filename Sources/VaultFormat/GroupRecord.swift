/// An access group: its key, sealed under the root key (128 bytes).
package struct GroupRecord: Hashable, Sendable {
  /// The random name of the group.
  package let id: Identifier

  /// Goes up by one whenever the group key changes.
  package let epoch: UInt64

  /// The salt of the box.
  package let salt: Salt

  /// The sealed group key: commitment (32), ciphertext (32) and tag (16).
  package let box: [UInt8]

  /// The length of a record in bytes.
  package static let byteCount = 128

  /// The length of the box in bytes.
  package static let boxByteCount = 80

  /// Makes a group record from its fields.
  ///
  /// Throws ``FormatError/malformed`` if the box is not 80 bytes, or if the epoch lies outside of
  /// 1…2^62.
  package init(
    id: Identifier,
    epoch: UInt64,
    salt: Salt,
    box: [UInt8]
  ) throws(FormatError) {
    guard Limits.counters.contains(epoch), box.count == Self.boxByteCount else { throw .malformed }
    self.id = id
    self.epoch = epoch
    self.salt = salt
    self.box = box
  }

  /// Reads a record of exactly 128 bytes, else throws ``FormatError/malformed``.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    guard bytes.count == Self.byteCount else { throw .malformed }
    try self.init(
      id: bytes.fixedBytes(at: 0),
      epoch: bytes.integer(at: 16),
      salt: bytes.fixedBytes(at: 24),
      box: bytes.array(in: 48..<128)
    )
  }

  /// The group's name and epoch (24 bytes), which the box is bound to.
  package var header: [UInt8] { Self.header(id: id, epoch: epoch) }

  /// The whole record.
  package var bytes: [UInt8] {
    var output = header
    output.reserveCapacity(Self.byteCount)
    salt.append(to: &output)
    output.append(contentsOf: box)
    return output
  }

  /// The 24 bytes that a box is bound to, for a writer that has yet to seal the box.
  package static func header(id: Identifier, epoch: UInt64) -> [UInt8] {
    var output = id.array
    output.append(bigEndian: epoch)
    return output
  }
}
