/// What a slot needs in order to open.
package struct Factors: OptionSet, Hashable, Sendable {
  /// The bits of the record's factor byte.
  package let rawValue: UInt8

  /// Takes over bits, known or not.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A passphrase, which is stretched.
  package static let passphrase = Factors(rawValue: 1 << 0)

  /// A key file or a recovery code.
  package static let keyFile = Factors(rawValue: 1 << 1)

  /// The key of the device.
  package static let device = Factors(rawValue: 1 << 2)

  static let all: Factors = [.passphrase, .keyFile, .device]
}

/// A slot: the root key or one group key, sealed under a credential (144 bytes).
package struct SlotRecord: Hashable, Sendable {
  /// What the slot needs in order to open; never empty.
  package let factors: Factors

  /// The base-2 logarithm of the scrypt cost N, or 0 without a passphrase.
  package let logN: UInt8

  /// The random name of the slot.
  package let id: Identifier

  /// Zeros if the slot opens the root key, else the group whose key it opens.
  package let scope: Identifier

  /// The salt of the stretch, of the slot key and of the box; new at every rewrite.
  package let salt: Salt

  /// The sealed key: commitment (32), ciphertext (32) and tag (16).
  package let box: [UInt8]

  /// The length of a record in bytes.
  package static let byteCount = 144

  /// The length in bytes of the part that the box is bound to.
  package static let headerByteCount = 64

  /// The length of the box in bytes.
  package static let boxByteCount = 80

  private static let version: UInt8 = 1
  private static let scrypt: UInt8 = 1

  /// Makes a slot from its fields.
  ///
  /// Throws ``FormatError/costRefused`` if a passphrase slot's `logN` lies outside of 15…19, and
  /// ``FormatError/malformed`` if the fields do not fit each other or the box is not 80 bytes.
  package init(
    factors: Factors,
    logN: UInt8,
    id: Identifier,
    scope: Identifier,
    salt: Salt,
    box: [UInt8]
  ) throws(FormatError) {
    guard !factors.isEmpty, Factors.all.isSuperset(of: factors) else { throw .malformed }
    if factors.contains(.passphrase) {
      guard Limits.logN.contains(logN) else { throw .costRefused }
    } else {
      guard logN == 0 else { throw .malformed }
    }
    guard box.count == Self.boxByteCount else { throw .malformed }
    self.factors = factors
    self.logN = logN
    self.id = id
    self.scope = scope
    self.salt = salt
    self.box = box
  }

  /// Reads a record of exactly 144 bytes.
  ///
  /// Throws ``FormatError/unsupportedVersion`` for another record version,
  /// ``FormatError/costRefused`` for a cost outside of the limits, else ``FormatError/malformed``.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    guard bytes.count == Self.byteCount else { throw .malformed }
    guard bytes[0] == Self.version else { throw .unsupportedVersion }
    let factors = Factors(rawValue: bytes[1])
    let function = factors.contains(.passphrase) ? Self.scrypt : 0
    guard bytes[2] == function, bytes.isZero(in: 4..<8) else { throw .malformed }
    try self.init(
      factors: factors,
      logN: bytes[3],
      id: bytes.fixedBytes(at: 8),
      scope: bytes.fixedBytes(at: 24),
      salt: bytes.fixedBytes(at: 40),
      box: bytes.array(in: 64..<144)
    )
  }

  /// The scrypt cost N of the slot, or 0 without a passphrase.
  package var cost: UInt64 { factors.contains(.passphrase) ? 1 << UInt64(logN) : 0 }

  /// The first 64 bytes: everything but the box, which is bound to them.
  package var header: [UInt8] {
    Self.header(factors: factors, logN: logN, id: id, scope: scope, salt: salt)
  }

  /// The whole record.
  package var bytes: [UInt8] { header + box }

  /// The 64 bytes that a box is bound to, for a writer that has yet to seal the box.
  package static func header(
    factors: Factors,
    logN: UInt8,
    id: Identifier,
    scope: Identifier,
    salt: Salt
  ) -> [UInt8] {
    let function = factors.contains(.passphrase) ? scrypt : 0
    var output = [version, factors.rawValue, function, logN, 0, 0, 0, 0]
    output.reserveCapacity(byteCount)
    id.append(to: &output)
    scope.append(to: &output)
    salt.append(to: &output)
    return output
  }
}
