/// What a row says of itself in clear, beside its kind and class.
package struct ClaimFlags: OptionSet, Hashable, Sendable {
  /// The bits of the claim's flag byte.
  package let rawValue: UInt8

  /// Takes over bits, known or not.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The item may leave for other machines; part of its identity.
  package static let synchronizable = ClaimFlags(rawValue: 1 << 0)

  /// The item is deleted, and the row remembers that.
  package static let tombstone = ClaimFlags(rawValue: 1 << 1)

  /// The attributes must be opened before the secret is given (expiry, revalidation).
  package static let guarded = ClaimFlags(rawValue: 1 << 2)

  static let all: ClaimFlags = [.synchronizable, .tombstone, .guarded]
}

/// The clear columns of a row in their order (107 bytes): what its page authenticates.
///
/// Everything before ``rev`` is bound into the boxes of the row as well.
package struct Claim: Hashable, Sendable {
  /// The random name of the item; updates keep it.
  package var itemID: Identifier

  /// 1 generic password, 2 internet password; other kinds are kept and not shown.
  package var kind: UInt8

  /// The class byte; see ``ClassByte``.
  package var accessibility: UInt8

  /// Synchronizable, tombstone, guarded.
  package var flags: ClaimFlags

  /// The device that a device-bound row belongs to, else zeros.
  package var deviceID: Identifier

  /// The group's counter at the commit that last changed the item.
  package var version: UInt64

  /// The blind index of the item's identity.
  package var lookup: Digest

  /// The random name of this version of the row, and the salt of its boxes.
  package var rev: Salt

  /// The number of the row that holds the boxes.
  package var box: UInt64

  /// Makes a claim from its fields; ``validate(_:at:)`` says whether their bytes will be accepted.
  package init(
    itemID: Identifier,
    kind: UInt8,
    accessibility: UInt8,
    flags: ClaimFlags,
    deviceID: Identifier,
    version: UInt64,
    lookup: Digest,
    rev: Salt,
    box: UInt64
  ) {
    self.itemID = itemID
    self.kind = kind
    self.accessibility = accessibility
    self.flags = flags
    self.deviceID = deviceID
    self.version = version
    self.lookup = lookup
    self.rev = rev
    self.box = box
  }

  /// Reads a claim of exactly 107 bytes, else throws ``FormatError/malformed``.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    guard bytes.count == Self.byteCount else { throw .malformed }
    try self.init(parsing: bytes, at: 0)
  }

  /// Reads the claim that starts at an offset, else throws ``FormatError/malformed``.
  package init(parsing bytes: Span<UInt8>, at offset: Int) throws(FormatError) {
    try Self.validate(bytes, at: offset)
    itemID = try bytes.fixedBytes(at: offset)
    kind = bytes[offset + Self.kindOffset]
    accessibility = bytes[offset + Self.accessibilityOffset]
    flags = ClaimFlags(rawValue: bytes[offset + Self.flagsOffset])
    deviceID = try bytes.fixedBytes(at: offset + Self.deviceRange.lowerBound)
    version = try bytes.integer(at: offset + Self.versionRange.lowerBound)
    lookup = try bytes.fixedBytes(at: offset + Self.lookupRange.lowerBound)
    rev = try bytes.fixedBytes(at: offset + Self.revRange.lowerBound)
    box = try bytes.integer(at: offset + Self.boxRange.lowerBound)
  }

  /// Checks the claim that starts at an offset without building it.
  ///
  /// Throws ``FormatError/malformed`` for kind 0, an unknown class or flag, a synchronizable
  /// device-bound row, a device name that is zero in a device-bound row or not zero in a portable
  /// one, or a version or box number outside of 1…2^62.
  package static func validate(_ bytes: Span<UInt8>, at offset: Int) throws(FormatError) {
    guard bytes.holds(byteCount, at: offset), bytes[offset + kindOffset] != 0,
      let accessibility = ClassByte(rawValue: bytes[offset + accessibilityOffset])
    else { throw .malformed }
    let flags = ClaimFlags(rawValue: bytes[offset + flagsOffset])
    let hasDevice = !bytes.isZero(
      in: (offset + deviceRange.lowerBound)..<(offset + deviceRange.upperBound)
    )
    guard ClaimFlags.all.isSuperset(of: flags), hasDevice == accessibility.isDeviceBound,
      !(accessibility.isDeviceBound && flags.contains(.synchronizable))
    else { throw .malformed }
    _ = try bytes.counter(at: offset + versionRange.lowerBound)
    _ = try bytes.counter(at: offset + boxRange.lowerBound)
  }

  /// The whole claim.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(Self.byteCount)
    append(to: &output)
    return output
  }

  /// Writes the claim at the end of an array.
  package func append(to output: inout [UInt8]) {
    itemID.append(to: &output)
    output.append(kind)
    output.append(accessibility)
    output.append(flags.rawValue)
    deviceID.append(to: &output)
    output.append(bigEndian: version)
    lookup.append(to: &output)
    rev.append(to: &output)
    output.append(bigEndian: box)
  }
}
