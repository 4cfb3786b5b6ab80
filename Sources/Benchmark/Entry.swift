/// The names of one item, made before the clock runs.
struct Entry {
  let index: Int
  let service: String
  let account: String
  let label: String
  /// The same as bytes, for the floor, which knows no strings.
  let bytes: Names

  /// Names the item of an index as the C programs of the same comparison do.
  init(_ index: Int) {
    let digits = String(index)
    let zeros = String(repeating: "0", count: max(0, 7 - digits.count))
    self.index = index
    service = "service-\(zeros)\(digits).example"
    account = "user\(index % 97)@example"
    label = "Label of item \(digits)"
    bytes = Names(
      service: Array(service.utf8),
      account: Array(account.utf8),
      label: Array(label.utf8)
    )
  }

  /// An item that is in no vault of any round.
  static func missing(_ number: Int) -> Entry { Entry(1 << 50 | number) }
}

/// Service, account and label as bytes.
struct Names: Hashable {
  let service: [UInt8]
  let account: [UInt8]
  let label: [UInt8]
}

/// Values that can be made again, so that each one read can be checked.
enum Values {
  /// The value of an item; replacing it raises the generation.
  static func bytes(of index: Int, generation: UInt64 = 0, count: Int) -> [UInt8] {
    var random = XorShift(seed: UInt64(truncatingIfNeeded: index) &* 2 &+ generation)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      var word = random.next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

/// A small generator (Marsaglia's xorshift64), the same sequence in every run.
struct XorShift: RandomNumberGenerator {
  private var state: UInt64

  /// Starts the sequence of a seed.
  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// The next word.
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
