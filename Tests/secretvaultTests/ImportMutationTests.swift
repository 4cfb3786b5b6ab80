import SecretVault
import Testing

@testable import secretvault

/// Files that were damaged by chance, parsed in this very process: a trap would end the run.
@Suite("import: damaged files")
struct ImportMutationTests {
  private static let signs = Array("\"'\\{}[]<>&;,:=#\n\r\0/!-u0x".utf8)

  /// One to four of the changes that hit structure: signs, cuts, repetitions, bits.
  private func mutate(_ seed: [UInt8], _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    var copy = seed
    for _ in 0...Int.random(in: 0..<4, using: &generator) where !copy.isEmpty {
      let index = Int.random(in: copy.indices, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: copy[index] = Self.signs.randomElement(using: &generator) ?? 0
      case 1: copy.insert(Self.signs.randomElement(using: &generator) ?? 0, at: index)
      case 2: copy[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 3: copy.remove(at: index)
      case 4: copy.removeSubrange(index...)
      default: copy.insert(contentsOf: copy[index...].prefix(40), at: index)
      }
    }
    return copy
  }

  /// How many rows are read, or `nil` for a file that is refused.
  private func rowCount(_ bytes: [UInt8], as format: ImportFormat?) throws -> Int? {
    let text = ImportText(try SecretBytes(copying: bytes), count: bytes.count)
    return try text.withBytes { text in
      do {
        let format = try format ?? ImportFormat.recognized(in: text)
        return try format?.rows(in: text, service: "s").map(\.checked).count
      } catch let flaw as ImportFlaw {
        let failure = flaw.failure(in: text, of: "file")
        #expect(failure.exitCode == .usage)
        #expect((0...text.count).contains(flaw.offset), "\(flaw)")
        return nil
      }
    }
  }

  @Test("every sample is read whole", arguments: ImportSample.allCases)
  func samples(sample: ImportSample) throws {
    let format = try #require(ImportFormat(rawValue: sample.rawValue))
    let count = try #require(try rowCount(sample.bytes, as: format))
    #expect(count >= 4)
    #expect(try rowCount(sample.bytes, as: nil) == count)
  }

  @Test("mutations of each sample never trap, and end", arguments: ImportSample.allCases)
  func mutations(sample: ImportSample) throws {
    let format = try #require(ImportFormat(rawValue: sample.rawValue))
    var generator = DamageGenerator(state: 7)
    var refused = 0
    for _ in 0..<1500 {
      let bytes = mutate(sample.bytes, &generator)
      if try rowCount(bytes, as: format) == nil { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test("each cut of each sample is read or refused", arguments: ImportSample.allCases)
  func cuts(sample: ImportSample) throws {
    for format in [ImportFormat(rawValue: sample.rawValue), nil] {
      for count in stride(from: 0, to: sample.bytes.count, by: 3) {
        _ = try rowCount(Array(sample.bytes.prefix(count)), as: format)
      }
    }
  }

  @Test("every format refuses or reads every other", arguments: ImportFormat.allCases)
  func foreignFiles(format: ImportFormat) throws {
    var generator = DamageGenerator(state: 9)
    for sample in ImportSample.allCases {
      _ = try rowCount(sample.bytes, as: format)
      for _ in 0..<30 { _ = try rowCount(mutate(sample.bytes, &generator), as: format) }
    }
  }
}

/// A small deterministic generator (SplitMix64), so that a failing run can be repeated.
private struct DamageGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
