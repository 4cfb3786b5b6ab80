/// The last position of a group or of the root that a machine saw, kept outside of the vault.
package struct AnchorRecord: Hashable, Sendable {
  /// The vault that the anchor belongs to.
  package var vaultID: Identifier

  /// The group, or zeros for the root.
  package var scope: Identifier

  /// The group's epoch, or the root epoch.
  package var epoch: UInt64

  /// The group's counter, or the admin counter.
  package var counter: UInt64

  /// The manifest tag, or the admin tag.
  package var tag: Digest

  /// The random name of this machine's anchor; zeros where none can be kept.
  package var holder: Identifier

  /// The writers of the state that was seen.
  package var writers: Writers

  private static let magic: UInt32 = 0x564C_4131  // "VLA1"
  private static let fixedByteCount = 100

  /// Makes an anchor from its fields.
  package init(
    vaultID: Identifier,
    scope: Identifier,
    epoch: UInt64,
    counter: UInt64,
    tag: Digest,
    holder: Identifier,
    writers: Writers
  ) {
    self.vaultID = vaultID
    self.scope = scope
    self.epoch = epoch
    self.counter = counter
    self.tag = tag
    self.holder = holder
    self.writers = writers
  }

  /// Reads a record of exactly its length.
  ///
  /// Throws ``FormatError/malformed`` for another magic or length, an epoch or counter outside of
  /// 1…2^62, or malformed writers.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    guard try Self.range(in: bytes, at: 0) == 0..<bytes.count else { throw .malformed }
    vaultID = try bytes.fixedBytes(at: 4)
    scope = try bytes.fixedBytes(at: 20)
    epoch = try bytes.counter(at: 36)
    counter = try bytes.counter(at: 44)
    tag = try bytes.fixedBytes(at: 52)
    holder = try bytes.fixedBytes(at: 84)
    let range = try bytes.lengthPrefixedRange(at: Self.fixedByteCount)
    writers = try Writers(parsing: bytes.extracting(range))
  }

  /// Where the record that starts at an offset lies; throws ``FormatError/malformed`` if none does.
  static func range(in bytes: Span<UInt8>, at offset: Int) throws(FormatError) -> Range<Int> {
    guard try bytes.integer(at: offset) == magic else { throw .malformed }
    let writers = try bytes.lengthPrefixedRange(at: offset + fixedByteCount)
    return offset..<writers.upperBound
  }

  /// The whole record.
  package var bytes: [UInt8] {
    let writers = writers.bytes
    var output: [UInt8] = []
    output.reserveCapacity(Self.fixedByteCount + 4 + writers.count)
    output.append(bigEndian: Self.magic)
    vaultID.append(to: &output)
    scope.append(to: &output)
    output.append(bigEndian: epoch)
    output.append(bigEndian: counter)
    tag.append(to: &output)
    holder.append(to: &output)
    output.append(lengthPrefixed: writers.span)
    return output
  }
}
