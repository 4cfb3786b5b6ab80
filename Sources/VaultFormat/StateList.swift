/// The state of a group or of the head: tagged fields that its tag covers.
///
/// Unknown fields below 64 are kept as they are; with a field from 64 to 127 a reader must not
/// write; a field from 128 on makes the state unreadable.
package struct StateList: Hashable, Sendable {
  /// Whose state a list is; tag 2 means something else in each.
  package enum Owner: Sendable {
    /// An access group.
    case group
    /// The head of the vault.
    case head
  }

  /// Whose state this is.
  package let owner: Owner

  /// Who committed up to which counter (tag 1).
  package var writers = Writers()

  /// Of a group: the counter at the last restore that was accepted (tag 2).
  package var restored: UInt64?

  /// Of the head: the number of the Unix group that shares the file (tag 2).
  package var sharingGroup: UInt32?

  private var unknown: [UnknownField] = []

  private struct UnknownField: Hashable, Sendable {
    let tag: UInt8
    let value: [UInt8]
  }

  private static let writersTag: UInt8 = 1
  private static let ownersTag: UInt8 = 2
  private static let firstReadOnlyTag: UInt8 = 64
  private static let firstRefusedTag: UInt8 = 128

  /// Makes an empty state.
  package init(of owner: Owner) {
    self.owner = owner
  }

  /// Reads a state.
  ///
  /// Throws ``FormatError/malformed`` if the list is longer than 4096 bytes or breaks its order, if
  /// the writers are malformed or empty, or if tag 2 is no counter (group) or no u32 (head); else
  /// ``FormatError/unsupportedVersion`` for a tag from 128 on.
  package init(parsing bytes: Span<UInt8>, of owner: Owner) throws(FormatError) {
    self.owner = owner
    guard bytes.count <= Limits.stateByteCount else { throw .malformed }
    var cursor = TaggedFieldCursor()
    while let field = try cursor.next(in: bytes) {
      switch field.tag {
      case Self.writersTag:
        guard !field.value.isEmpty else { throw .malformed }
        writers = try Writers(parsing: bytes.extracting(field.value))
      case Self.ownersTag:
        try readOwnersField(bytes.extracting(field.value))
      default:
        unknown.append(UnknownField(tag: field.tag, value: try bytes.array(in: field.value)))
      }
    }
    if let last = unknown.last, last.tag >= Self.firstRefusedTag {
      throw .unsupportedVersion
    }
  }

  private mutating func readOwnersField(_ value: Span<UInt8>) throws(FormatError) {
    switch owner {
    case .group:
      guard value.count == 8 else { throw .malformed }
      restored = try value.counter(at: 0)
    case .head:
      guard value.count == 4 else { throw .malformed }
      sharingGroup = try value.integer(at: 0)
    }
  }

  /// Whether the state holds a field that forbids this reader to write.
  package var isReadOnly: Bool { unknown.contains { $0.tag >= Self.firstReadOnlyTag } }

  /// The tags and values by ascending tag.
  package var entries: [(tag: UInt8, bytes: [UInt8])] {
    var entries: [(tag: UInt8, bytes: [UInt8])] = []
    if !writers.entries.isEmpty {
      entries.append((Self.writersTag, writers.bytes))
    }
    if let value = ownersField {
      entries.append((Self.ownersTag, value))
    }
    return entries + unknown.map { ($0.tag, $0.value) }
  }

  private var ownersField: [UInt8]? {
    var value: [UInt8] = []
    switch owner {
    case .group:
      guard let restored else { return nil }
      value.append(bigEndian: restored)
    case .head:
      guard let sharingGroup else { return nil }
      value.append(bigEndian: sharingGroup)
    }
    return value
  }

  /// The state as the file holds it.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    for entry in entries {
      output.append(tag: entry.tag, value: entry.bytes.span)
    }
    return output
  }
}
