import Testing
import VaultFormat

@Suite("Claims")
struct ClaimTests {
  @Test(
    "a claim parses and writes back to the same bytes",
    arguments: [Vectors.claim1, Vectors.claim2, Vectors.claim3]
  )
  func roundTrip(row: [UInt8]) throws {
    #expect(try Claim(row).bytes == row)
  }

  @Test("the fields of a claim lie where the format says")
  func fields() throws {
    let claim = try Claim(Vectors.claim2)
    #expect(claim.itemID == Identifier(repeating: 8))
    #expect(claim.kind == 1)
    #expect(claim.accessibility == ClassByte.whenUnlockedThisDeviceOnly.rawValue)
    #expect(claim.flags == [])
    #expect(claim.deviceID == identifier(Vectors.deviceID))
    #expect(claim.version == 2)
    #expect(claim.lookup.array == Array(Vectors.claim2[Claim.lookupRange]))
    #expect(claim.rev == Salt(repeating: 0x73))
    #expect(claim.rev.array == Array(Vectors.claim2[Claim.revRange]))
    #expect(claim.box == 2)
    #expect(Claim.boundRange == 0..<Claim.revRange.lowerBound)
  }

  @Test("a claim of any other length is malformed", arguments: [0, 106, 108])
  func length(count: Int) {
    #expect(throws: FormatError.malformed) {
      try Claim(Array((Vectors.claim1 + [0]).prefix(count)))
    }
  }

  @Test("kind 0 is malformed, every other kind is kept")
  func kinds() throws {
    #expect(throws: FormatError.malformed) { try Claim(Vectors.claim1.replacing(at: 16, with: 0)) }
    for kind in 1...255 as ClosedRange<UInt8> {
      let row = Vectors.claim1.replacing(at: 16, with: kind)
      #expect(try Claim(row).bytes == row)
    }
  }

  @Test("only the five classes are accepted, each with the device name that it needs")
  func classes() throws {
    let known: [UInt8] = [0x01, 0x02, 0x11, 0x12, 0x13]
    for byte in 0...255 as ClosedRange<UInt8> {
      let portable = Vectors.claim1.replacing(at: 17, with: byte)
      let deviceBound = Vectors.claim2.replacing(at: 17, with: byte)
      #expect(((try? Claim(portable)) != nil) == (known.contains(byte) && byte < 0x10))
      #expect(((try? Claim(deviceBound)) != nil) == (known.contains(byte) && byte > 0x10))
    }
  }

  @Test("one byte of a device name is enough to make a portable row malformed", arguments: 19..<35)
  func portableDevice(offset: Int) {
    #expect(throws: FormatError.malformed) {
      try Claim(Vectors.claim1.replacing(at: offset, with: 1))
    }
  }

  @Test("three flags are accepted and no other")
  func flags() throws {
    for byte in 0...255 as ClosedRange<UInt8> {
      let row = Vectors.claim1.replacing(at: 18, with: byte)
      #expect(((try? Claim(row)) != nil) == (byte < 8))
    }
  }

  @Test("a synchronizable device-bound row is malformed", arguments: [1, 3, 7] as [UInt8])
  func synchronizableDeviceBound(flags: UInt8) {
    #expect(throws: FormatError.malformed) {
      try Claim(Vectors.claim2.replacing(at: 18, with: flags))
    }
  }

  @Test("version and box number go from 1 to 2^62", arguments: [35, 99])
  func counters(offset: Int) throws {
    for value in [0, 1 << 62 + 1, .max] as [UInt64] {
      let row = Vectors.claim1.replacing(at: offset, with: value)
      #expect(throws: FormatError.malformed) { try Claim(row) }
    }
    for value in [1, 1 << 62] as [UInt64] {
      let row = Vectors.claim1.replacing(at: offset, with: value)
      #expect(try Claim(row).bytes == row)
    }
  }

  @Test("classes say whether they need the device and whether a lock takes their keys")
  func classProperties() {
    let deviceBound = ClassByte.allCases.filter(\.isDeviceBound).map(\.rawValue)
    #expect(deviceBound == [0x11, 0x12, 0x13])
    let locked = ClassByte.allCases.filter(\.isLockedWhenLocked).map(\.rawValue)
    #expect(locked == [0x01, 0x11, 0x13])
  }
}
