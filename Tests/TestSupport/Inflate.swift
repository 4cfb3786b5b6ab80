/// A small decompressor for zlib streams (RFC 1950, RFC 1951), since published vectors are compressed.
package struct Inflate {
  /// Why a stream could not be decompressed.
  package enum Failure: Error {
    /// The stream ends too early or breaks a rule of the format.
    case malformed
    /// The checksum at the end does not match what came out.
    case wrongChecksum
  }

  private let input: [UInt8]
  private var position = 2
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0
  private var output: [UInt8] = []

  private init(_ input: [UInt8]) {
    self.input = input
  }

  /// Decompresses a zlib stream and verifies its checksum.
  package static func zlib(_ input: [UInt8]) throws(Failure) -> [UInt8] {
    guard input.count >= 6, input[0] & 0x0f == 8, input[1] & 0x20 == 0 else { throw .malformed }
    var inflate = Inflate(input)
    while try !inflate.readBlock() {}
    let checksum = inflate.input.dropFirst(inflate.position).prefix(4)
    guard checksum.reduce(0, { $0 << 8 | UInt32($1) }) == adler32(inflate.output) else {
      throw .wrongChecksum
    }
    return inflate.output
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  /// Reads one block and returns whether it was the last.
  private mutating func readBlock() throws(Failure) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try copyStored()
    case 1: try readSymbols(literals: Self.fixedLiterals, distances: Self.fixedDistances)
    case 2:
      let (literals, distances) = try readCodes()
      try readSymbols(literals: literals, distances: distances)
    default: throw .malformed
    }
    if isLast { bitCount = 0 }
    return isLast
  }

  private mutating func take(_ count: UInt32) throws(Failure) -> Int {
    while bitCount < count {
      guard position < input.count else { throw .malformed }
      bits |= UInt32(input[position]) << bitCount
      position += 1
      bitCount += 8
    }
    let value = bits & (1 << count - 1)
    bits >>= count
    bitCount -= count
    return Int(value)
  }

  private mutating func copyStored() throws(Failure) {
    bits = 0
    bitCount = 0
    let count = try take(16)
    guard try take(16) == count ^ 0xffff, position + count <= input.count else { throw .malformed }
    output += input[position..<position + count]
    position += count
  }

  private mutating func readSymbols(
    literals: PrefixCode,
    distances: PrefixCode
  ) throws(Failure) {
    while true {
      let symbol = try readSymbol(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 286 else { throw .malformed }
      let (shortest, lengthBits) = Self.lengths[symbol - 257]
      let length = try shortest + take(lengthBits)
      let distanceSymbol = try readSymbol(distances)
      guard distanceSymbol < 30 else { throw .malformed }
      let (nearest, distanceBits) = Self.distances[distanceSymbol]
      let start = try output.count - nearest - take(distanceBits)
      guard start >= 0 else { throw .malformed }
      for index in start..<start + length { output.append(output[index]) }
    }
  }

  private mutating func readSymbol(_ code: PrefixCode) throws(Failure) -> Int {
    var value = 0
    var first = 0
    var index = 0
    for count in code.counts.dropFirst() {
      value = try value << 1 | take(1)
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
    }
    throw .malformed
  }

  private mutating func readCodes() throws(Failure) -> (PrefixCode, PrefixCode) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    var codeLengths = [Int](repeating: 0, count: 19)
    for index in 0..<lengthCount { codeLengths[Self.codeLengthOrder[index]] = try take(3) }
    let code = PrefixCode(codeLengths)
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      switch try readSymbol(code) {
      case 16:
        guard let last = lengths.last else { throw .malformed }
        lengths += [Int](repeating: last, count: try take(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
      case 18: lengths += [Int](repeating: 0, count: try take(7) + 11)
      case let length: lengths.append(length)
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw .malformed }
    return (
      PrefixCode(Array(lengths[..<literalCount])), PrefixCode(Array(lengths[literalCount...]))
    )
  }

  private static let codeLengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private static let fixedLiterals = PrefixCode(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
  )
  private static let fixedDistances = PrefixCode([Int](repeating: 5, count: 30))

  /// The shortest match of each length symbol, and how many more bits it takes (RFC 1951, 3.2.5).
  private static let lengths: [(Int, UInt32)] = {
    var table: [(Int, UInt32)] = []
    var base = 3
    for symbol in 0..<28 {
      let extra = symbol < 8 ? 0 : UInt32(symbol / 4 - 1)
      table.append((base, extra))
      base += 1 << extra
    }
    return table + [(258, 0)]
  }()

  /// The nearest match of each distance symbol, and how many more bits it takes.
  private static let distances: [(Int, UInt32)] = {
    var table: [(Int, UInt32)] = []
    var base = 1
    for symbol in 0..<30 {
      let extra = symbol < 4 ? 0 : UInt32(symbol / 2 - 1)
      table.append((base, extra))
      base += 1 << extra
    }
    return table
  }()
}

/// A canonical prefix code: how many codes have each length, and the symbols in the order of their codes.
private struct PrefixCode {
  let counts: [Int]
  let symbols: [Int]

  init(_ lengths: [Int]) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[length] += 1 }
    self.counts = counts
    symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
  }
}
