import Testing
import VaultFormat

/// A parser with the bytes that it starts from; `rewrite` is nil where the bytes are refused.
struct Codec: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let seeds: [[UInt8]]
  let rewrite: @Sendable ([UInt8]) -> [UInt8]?

  private static func record<R: Record>(_ type: R.Type, _ seeds: [[UInt8]]) -> Codec {
    Codec(testDescription: "\(type)", seeds: seeds) { (try? R($0))?.bytes }
  }

  private static let attributes = bytes(
    "0100000003616263020000000164060000000800000000000000011d0000000401010202"
  )

  static let all: [Codec] = [
    record(
      SlotRecord.self,
      [Vectors.slotWithPassphrase, Vectors.slotOfGroup, Vectors.slotWithThreeFactors]
    ),
    record(HeadRecord.self, [Vectors.head]),
    record(GroupRecord.self, [Vectors.groupRecord]),
    record(Claim.self, [Vectors.claim1, Vectors.claim2, Vectors.claim3]),
    record(BranchTable.self, [Vectors.branchesOfRows1And2]),
    record(AnchorRecord.self, [Vectors.anchor]),
    record(Writers.self, [Array(Vectors.anchor[104...])]),
    record(LookupInput.self, [bytes("01010000000261620000000163")]),
    Codec(testDescription: "ClaimPage", seeds: [Vectors.claim3 + Vectors.claim1]) { rows in
      (try? ClaimPage(number: 832, rows: rows))?.rows
    },
    Codec(testDescription: "StateList", seeds: [bytes("02000000080000000000000009030000000107")]) {
      (try? StateList(parsing: $0.span, of: .group))?.bytes
    },
    Codec(testDescription: "AttributeCoding", seeds: [attributes], rewrite: rewriteAttributes),
    Codec(testDescription: "Padding", seeds: [bytes("0000000141") + Array(repeating: 0, count: 59)])
    {
      padded in
      guard let content = try? Padding.unpad(padded.span) else { return nil }
      var output: [UInt8] = []
      output.append(lengthPrefixed: padded.span.extracting(content))
      return output + Array(repeating: 0, count: padded.count - output.count)
    },
    Codec(
      testDescription: "HistoryEntry",
      seeds: [bytes("00000000000000010000018bcfe56800000000036f6c64")],
      rewrite: rewriteHistory
    ),
    Codec(testDescription: "KeyFile", seeds: [Vectors.keyFileLine + [10]], rewrite: rewriteKey),
  ]

  private static func rewriteAttributes(_ list: [UInt8]) -> [UInt8]? {
    do throws(FormatError) {
      try AttributeCoding.validate(list.span, kind: 1)
      var attributes: [(AttributeTag, [UInt8])] = []
      try AttributeCoding.forEach(in: list.span) { tag, range throws(FormatError) in
        attributes.append((tag, Array(list[range])))
      }
      return try AttributeCoding.encode(attributes)
    } catch {
      return nil
    }
  }

  private static func rewriteHistory(_ history: [UInt8]) -> [UInt8]? {
    guard let entries = try? HistoryEntry.parse(history.span) else { return nil }
    var output = [UInt8](repeating: 0, count: history.count)
    var target = output.mutableSpan
    var offset = 0
    for entry in entries {
      let secret = Array(history[entry.secret])
      let end = try? HistoryEntry.write(
        version: entry.version,
        modified: entry.modified,
        secret: secret.span,
        at: offset,
        into: &target
      )
      offset = end ?? offset
    }
    return output
  }

  private static func rewriteKey(_ line: [UInt8]) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: KeyFile.keyByteCount)
    var output = [UInt8](repeating: 0, count: KeyFile.lineByteCount)
    var keyTarget = key.mutableSpan
    guard (try? KeyFile.decode(line.span, magic: .keyFile, into: &keyTarget)) != nil else {
      return nil
    }
    var lineTarget = output.mutableSpan
    try? KeyFile.encode(key.span, magic: .keyFile, into: &lineTarget)
    // The line feed is the one thing that a line may lack.
    return Array(output.prefix(line.count))
  }
}

@Suite("What parses writes back to the same bytes")
struct PropertyTests {
  /// One of the changes that damage or an attacker makes: bits, bytes, lengths, cuts, growth.
  private func mutate(_ seed: [UInt8], with generator: inout SmallGenerator) -> [UInt8] {
    var copy = seed
    for _ in 0...generator.next(below: 3) where !copy.isEmpty {
      let index = Int(generator.next(below: UInt64(copy.count)))
      switch generator.next(below: 8) {
      case 0...2: copy[index] ^= 1 << UInt8(generator.next(below: 8))
      case 3: copy[index] = UInt8(generator.next(below: 256))
      case 4: copy[index] = [0, 1, 0x7f, 0x80, 0xff][Int(generator.next(below: 5))]
      case 5: copy.removeSubrange(index...)
      case 6: copy.insert(contentsOf: copy[index...], at: index)
      default: copy.append(contentsOf: generator.bytes(count: Int(generator.next(below: 40))))
      }
    }
    return copy
  }

  @Test("every seed is accepted and written back to the same bytes", arguments: Codec.all)
  func seeds(codec: Codec) {
    for seed in codec.seeds {
      #expect(codec.rewrite(seed) == seed)
    }
  }

  @Test("20 000 mutations never trap, and what is accepted is written back", arguments: Codec.all)
  func mutations(codec: Codec) {
    var generator = SmallGenerator(seed: 4)
    for step in 0..<20_000 {
      let mutation = mutate(codec.seeds[step % codec.seeds.count], with: &generator)
      if let rewritten = codec.rewrite(mutation), rewritten != mutation {
        Issue.record("\(mutation) is written back as \(rewritten)")
      }
    }
  }

  @Test("random bytes never trap, and what is accepted is written back", arguments: Codec.all)
  func randomBytes(codec: Codec) {
    var generator = SmallGenerator(seed: 5)
    for _ in 0..<5000 {
      let random = generator.bytes(count: Int(generator.next(below: 200)))
      if let rewritten = codec.rewrite(random), rewritten != random {
        Issue.record("\(random) is written back as \(rewritten)")
      }
    }
  }

  @Test("readers without a writer never trap on damaged or random bytes")
  func readersOnly() {
    var generator = SmallGenerator(seed: 6)
    let anchorFile = Vectors.anchor + Vectors.anchorCheck + Array(repeating: 0, count: 1908)
    let seeds = [
      anchorFile + anchorFile, Vectors.recoveryCode, bytes("0100000003616263020000000164"),
    ]
    for step in 0..<20_000 {
      let mutation = mutate(seeds[step % seeds.count], with: &generator)
      for cell in AnchorFile.split(mutation.span) {
        #expect(cell.record.upperBound + 12 <= mutation.count)
      }
      if let range = AttributeCoding.range(of: .account, in: mutation.span) {
        #expect(range.upperBound <= mutation.count)
      }
      var output: [UInt8] = []
      try? LookupInput.append(
        attributes: mutation.span,
        kind: 2,
        isSynchronizable: false,
        to: &output
      )
      var code = [UInt8](repeating: 0, count: RecoveryCode.byteCount)
      var target = code.mutableSpan
      try? RecoveryCode.decode(mutation.span, into: &target)
    }
  }
}
