import SecretMemory
import VaultFormat

// How an item, or an identity alone, travels between two processes of one user. It is no part of the vault file.
//
// kind u8, flags u8 (1 synchronizable, 2 stored, 4 with a group), class u8, version u64, item id 16 bytes,
// group u32 length and bytes, attributes u32 length and list.

extension SecretItem {
  /// Writes the item, without its secret, for another process of the same version.
  package func appendTransfer(to output: inout [UInt8]) {
    var flags: UInt8 = isMarkedSynchronizable ? 1 : 0
    if storedID != nil { flags |= 2 }
    if groupName != nil { flags |= 4 }
    output.append(kindByte)
    output.append(flags)
    output.append(accessibility.classByte.rawValue)
    output.append(bigEndian: version)
    output.append(contentsOf: storedID?.array ?? [UInt8](repeating: 0, count: 16))
    output.append(lengthPrefixed: Array((groupName ?? "").utf8).span)
    attributes.withBytes { output.append(lengthPrefixed: $0) }
  }

  /// Reads an item at an offset and moves the offset behind it; `nil` for anything else than an item.
  package init?(transfer input: Span<UInt8>, at offset: inout Int) {
    do throws(FormatError) {
      try self.init(parsing: input, at: &offset)
    } catch {
      return nil
    }
  }

  private init(parsing input: Span<UInt8>, at offset: inout Int) throws(FormatError) {
    let kind: UInt8 = try input.integer(at: offset)
    let flags: UInt8 = try input.integer(at: offset + 1)
    guard let classByte = ClassByte(rawValue: try input.integer(at: offset + 2)), flags < 8
    else { throw .malformed }
    let group = try input.lengthPrefixedRange(at: offset + 27)
    let list = try input.lengthPrefixedRange(at: group.upperBound)
    guard let name = String(validating: try input.array(in: group), as: UTF8.self),
      ItemKind(byte: kind) != nil
    else { throw .malformed }
    try Self.requireAttributes(input.extracting(list), ofKind: kind)
    self.init(
      kindByte: kind,
      isMarkedSynchronizable: flags & 1 != 0,
      accessibility: Accessibility(classByte),
      version: try input.integer(at: offset + 3),
      storedID: flags & 2 != 0 ? try input.fixedBytes(at: offset + 11) : nil,
      attributes: ItemAttributes(validated: input.extracting(list)),
      groupName: flags & 4 != 0 ? name : nil
    )
    offset = list.upperBound
  }

  /// Checks the structure alone: what is too long to be stored is refused by the store, with its own error.
  private static func requireAttributes(
    _ list: Span<UInt8>,
    ofKind kind: UInt8
  ) throws(FormatError) {
    var missing = Set(AttributeTag.identity(ofKind: kind))
    try AttributeCoding.forEach(in: list) { tag, range throws(FormatError) in
      if let width = tag.fixedByteCount, width != range.count { throw .malformed }
      missing.remove(tag)
    }
    guard missing.isEmpty else { throw .malformed }
  }
}
