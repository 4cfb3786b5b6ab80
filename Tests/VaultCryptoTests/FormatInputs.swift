import TestSupport
import VaultCrypto

/// The inputs of the vault format's own vectors, and its contexts composed by hand.
///
/// Nothing here comes from the library's reader and writer, so that the two can be wrong only
/// independently.
enum FormatInputs {
  static var vaultID: [UInt8] { Array(UInt8(0x10)...0x1f) }
  static var rootKey: [UInt8] { Array(UInt8(0xa0)...0xbf) }
  static var groupKey: [UInt8] { Array(UInt8(0x40)...0x5f) }
  static var deviceKey: [UInt8] { Array(UInt8(0xd0)...0xdf) + Array(UInt8(0xd0)...0xdf) }
  static var fileKey: [UInt8] { Array(UInt8(0xf0)...0xff) + Array(UInt8(0xf0)...0xff) }
  static var groupID: [UInt8] { [UInt8](repeating: 0x61, count: 16) }
  static var rootScope: [UInt8] { [UInt8](repeating: 0, count: 16) }
  static var holder: [UInt8] { [UInt8](repeating: 0x77, count: 16) }
  static var passphrase: [UInt8] { Array("correct horse battery staple".utf8) }
  static var account: [UInt8] { Array("zo\u{eb}@example.org".utf8) }

  static func root() throws(CryptoError) -> Key<Role.Root> { try Key(copying: rootKey.span) }
  static func group() throws(CryptoError) -> Key<Role.Group> { try Key(copying: groupKey.span) }
  static func device() throws(CryptoError) -> Key<Role.Device> { try Key(copying: deviceKey.span) }
  static func file() throws(CryptoError) -> Key<Role.File> { try Key(copying: fileKey.span) }

  /// The 64 bytes of a slot record before its box.
  static func slotHeader(
    factors: UInt8,
    log2N: UInt8,
    number: UInt8,
    scope: [UInt8],
    salt: [UInt8]
  ) -> [UInt8] {
    [1, factors, log2N == 0 ? 0 : 1, log2N, 0, 0, 0, 0] + [UInt8](repeating: number, count: 16)
      + scope + salt
  }

  /// A secret with its length before it and zeros behind it, up to the size of its bucket.
  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var size = 64
    while size < min(bytes.count + 4, 4_096) { size *= 2 }
    if bytes.count + 4 > 4_096 { size = (bytes.count + 4 + 4_095) / 4_096 * 4_096 }
    return lengthPrefixed(bytes) + [UInt8](repeating: 0, count: size - bytes.count - 4)
  }

  static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
    bigEndian(UInt32(bytes.count)) + bytes
  }

  static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
  }
}

/// The three rows of the vectors.
struct FormatRow: Sendable {
  /// The claims of the row, 107 bytes.
  let claims: [UInt8]

  /// What the row's boxes are bound to, after their label.
  var bound: [UInt8] { FormatInputs.vaultID + FormatInputs.groupID + claims[..<75] }
  var lookup: [UInt8] { Array(claims[43..<75]) }
  var rev: [UInt8] { Array(claims[75..<99]) }
  /// The first twelve bits of the lookup.
  var page: UInt16 { UInt16(claims[43]) << 4 | UInt16(claims[44]) >> 4 }

  static let first = FormatRow(
    claims: [UInt8](
      hex: """
        09090909090909090909090909090909010100000000000000000000000000000000000000000000
        000002340c5d94cf87976965796c5aa6c20fc2b2205b1b7a7f83abb247eb400e8ba4e47272727272
        727272727272727272727272727272727272720000000000000001
        """
    )
  )

  static let second = FormatRow(
    claims: [UInt8](
      hex: """
        080808080808080808080808080808080111000f69d4101f6a7815554653c42fc209dc0000000000
        000002dec101d31d80cd400794f65627d64cf94ca00ed66257e9154ac78e40327b30377373737373
        737373737373737373737373737373737373730000000000000002
        """
    )
  )

  static let third = FormatRow(
    claims: [UInt8](
      hex: """
        0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a010100000000000000000000000000000000000000000000
        0000033400ec5099ca77712680169394cd0afb606bd3c1cc7cf2c0f27191f9d318f1677575757575
        757575757575757575757575757575757575750000000000000003
        """
    )
  )
}
