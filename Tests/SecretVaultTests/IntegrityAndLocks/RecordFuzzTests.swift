import Testing
import VaultFormat

@Suite("Records from anywhere")
struct RecordFuzzTests {
  private static let attempts = 20_000

  /// Parses random and slightly changed records; what is accepted must be written again as the same bytes.
  private func fuzz(
    _ samples: [[UInt8]],
    _ roundTrip: ([UInt8]) throws(FormatError) -> [UInt8]
  ) {
    var generator = SplitMix(seed: 0x5eed)
    var acceptedCount = 0
    for attempt in 0..<Self.attempts {
      var bytes = samples[attempt % samples.count]
      switch attempt % 4 {
      case 0: bytes = (0..<bytes.count).map { _ in .random(in: 0...255, using: &generator) }
      case 1: bytes = Array(bytes.prefix(.random(in: 0...bytes.count, using: &generator)))
      case 2: bytes.append(.random(in: 0...255, using: &generator))
      default:
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] =
            [0, 1, 0x7f, 0x80, 0xff, .random(in: 0...255, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
      }
      guard let written = try? roundTrip(bytes) else { continue }
      acceptedCount += 1
      #expect(written == bytes)
    }
    #expect(acceptedCount > 0, "a fuzzer that never gets in tests nothing")
    #expect(acceptedCount < Self.attempts)
  }

  @Test("D-6: a head record")
  func heads() {
    let head = HeadRecord(
      vaultID: Identifier(repeating: 1),
      rootEpoch: 1,
      adminCounter: 2,
      slotCount: 1,
      groupCount: 1
    )
    fuzz([head.bytes]) { bytes throws(FormatError) in try HeadRecord(parsing: bytes.span).bytes }
  }

  @Test("D-6: a slot record")
  func slots() throws {
    let samples = try [Factors.passphrase, .keyFile, [.passphrase, .keyFile, .device]].map {
      try SlotRecord(
        factors: $0,
        logN: $0.contains(.passphrase) ? 17 : 0,
        id: Identifier(repeating: 1),
        scope: .zero,
        salt: Salt(repeating: 2),
        box: [UInt8](repeating: 3, count: SlotRecord.boxByteCount)
      )
      .bytes
    }
    fuzz(samples) { bytes throws(FormatError) in try SlotRecord(parsing: bytes.span).bytes }
  }

  @Test("D-6: a group record")
  func groups() throws {
    let group = try GroupRecord(
      id: Identifier(repeating: 1),
      epoch: 1,
      salt: Salt(repeating: 2),
      box: [UInt8](repeating: 3, count: GroupRecord.boxByteCount)
    )
    fuzz([group.bytes]) { bytes throws(FormatError) in try GroupRecord(parsing: bytes.span).bytes }
  }

  @Test("D-6: the claims of a row")
  func claims() {
    let claim = Claim(
      itemID: Identifier(repeating: 1),
      kind: 1,
      accessibility: ClassByte.whenUnlocked.rawValue,
      flags: .guarded,
      deviceID: .zero,
      version: 1,
      lookup: Digest(repeating: 2),
      rev: Salt(repeating: 3),
      box: 4
    )
    fuzz([claim.bytes]) { bytes throws(FormatError) in try Claim(parsing: bytes.span).bytes }
  }

  @Test("D-6: the state of a group and of the head")
  func states() throws {
    var state = StateList(of: .group)
    try state.writers.record(holder: Identifier(repeating: 1), counter: 7)
    let written = state.bytes
    fuzz([written, []]) { bytes throws(FormatError) in
      try StateList(parsing: bytes.span, of: .group).bytes
    }
    fuzz([written, []]) { bytes throws(FormatError) in
      try StateList(parsing: bytes.span, of: .head).bytes
    }
  }

  @Test("D-6: the branches of a group")
  func branches() throws {
    var table = BranchTable()
    for number in [UInt16(0), 9, 63] {
      try table.set(BranchEntry(number: number, items: 1, tag: Digest(repeating: 1)))
    }
    fuzz([table.bytes]) { bytes throws(FormatError) in try BranchTable(parsing: bytes.span).bytes }
  }

  @Test("D-6: an anchor")
  func anchors() throws {
    var writers = Writers()
    try writers.record(holder: Identifier(repeating: 1), counter: 7)
    let anchor = AnchorRecord(
      vaultID: Identifier(repeating: 1),
      scope: .zero,
      epoch: 1,
      counter: 7,
      tag: Digest(repeating: 2),
      holder: Identifier(repeating: 1),
      writers: writers
    )
    fuzz([anchor.bytes]) { bytes throws(FormatError) in
      try AnchorRecord(parsing: bytes.span).bytes
    }
  }
}

/// A small generator with a seed, so that a failure can be repeated (Steele, Lea and Flood 2014).
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
