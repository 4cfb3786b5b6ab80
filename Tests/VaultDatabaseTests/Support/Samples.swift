import VaultDatabase

/// Bytes that differ from place to place and from seed to seed.
func pattern(_ count: Int, seed: Int = 1) -> [UInt8] {
  let period = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed &* 31) }
  var bytes: [UInt8] = []
  while bytes.count < count { bytes += period }
  bytes.removeLast(bytes.count - count)
  return bytes
}

func fixed<let count: Int>(_ byte: UInt8) -> InlineArray<count, UInt8> {
  InlineArray(repeating: byte)
}

func array<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> [UInt8] {
  bytes.indices.map { bytes[$0] }
}

func array(_ bytes: Span<UInt8>) -> [UInt8] {
  unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
}

func optionalArray(_ bytes: Span<UInt8>?) -> [UInt8]? {
  if let bytes { array(bytes) } else { nil }
}

/// A claim of 107 bytes in the table's order.
func claim(lookup: [UInt8], box: UInt64 = 1, version: UInt64 = 1, kind: UInt8 = 1) -> [UInt8] {
  pattern(16, seed: 2) + [kind, 0x11, 0x04] + pattern(16, seed: 3) + bigEndian(version) + lookup
    + pattern(24, seed: 4) + bigEndian(box)
}

func bigEndian(_ value: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
}

/// A lookup of 32 bytes whose first is `byte`.
func lookup(_ byte: UInt8) -> [UInt8] {
  [byte] + pattern(31, seed: Int(byte))
}

let groupID = pattern(16, seed: 9)

extension DatabaseConnection {
  /// Runs changes in one transaction.
  func write(_ changes: () throws -> Void) throws {
    try beginWrite()
    do {
      try changes()
    } catch {
      rollback()
      throw error
    }
    try commit()
  }
}
