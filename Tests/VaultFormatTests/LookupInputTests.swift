import Testing
import VaultFormat

@Suite("Lookup inputs")
struct LookupInputTests {
  private let generic = LookupInput(service: [0x61, 0x62], account: [0x63], isSynchronizable: true)

  private let internet = LookupInput(
    server: Array("www.example.com".utf8),
    account: Array("zoë@example.org".utf8),
    securityDomain: [],
    networkProtocol: Array("htps".utf8),
    authenticationType: Array("dflt".utf8),
    port: 443,
    path: Array("/login".utf8),
    isSynchronizable: false
  )

  @Test("a generic password is named by kind, sync bit, service and account")
  func genericBytes() {
    #expect(generic.bytes == [1, 1, 0, 0, 0, 2, 0x61, 0x62, 0, 0, 0, 1, 0x63])
  }

  @Test("an internet password is named by seven parts, and an absent one is empty")
  func internetBytes() {
    let expected =
      bytes("02000000000f") + Array("www.example.com".utf8) + bytes("00000010")
      + Array("zoë@example.org".utf8) + bytes("0000000000000004") + Array("htps".utf8)
      + bytes("00000004") + Array("dflt".utf8) + bytes("0000000201bb00000006")
      + Array("/login".utf8)
    #expect(internet.bytes == expected)
  }

  @Test("a byte that moves from one part to the next makes another name")
  func boundary() {
    let shifted = LookupInput(service: [0x61], account: [0x62, 0x63], isSynchronizable: true)
    #expect(shifted.bytes != generic.bytes)
  }

  @Test("the bytes split back into their parts")
  func parsing() throws {
    #expect(try LookupInput(generic.bytes) == generic)
    #expect(try LookupInput(internet.bytes) == internet)
  }

  @Test("the name of an item is recomputed from its attribute list")
  func recomputing() throws {
    for input in [generic, internet] {
      let list = try AttributeCoding.encode(input.attributes + [(.comment, [1]), (.label, [2])])
      try AttributeCoding.validate(list.span, kind: input.kind)
      var output: [UInt8] = []
      try LookupInput.append(
        attributes: list.span,
        kind: input.kind,
        isSynchronizable: input.isSynchronizable,
        to: &output
      )
      #expect(output == input.bytes)
    }
  }

  @Test("a list without an identity attribute, or of an unknown kind, has no name")
  func unnamed() throws {
    let list = try AttributeCoding.encode([(.service, [1])])
    var output: [UInt8] = []
    #expect(throws: FormatError.malformed) {
      try LookupInput.append(
        attributes: list.span,
        kind: 1,
        isSynchronizable: false,
        to: &output
      )
    }
    #expect(throws: FormatError.unsupportedVersion) {
      try LookupInput.append(
        attributes: list.span,
        kind: 3,
        isSynchronizable: false,
        to: &output
      )
    }
  }

  @Test("bytes of another kind, sync bit, length or port are refused")
  func refused() {
    let sound = generic.bytes
    #expect(throws: FormatError.unsupportedVersion) {
      try LookupInput(sound.replacing(at: 0, with: 3))
    }
    let port = internet.bytes.replacing(at: internet.bytes.count - 13, with: 1)
    for bytes in [
      [], [1], sound.replacing(at: 1, with: 2), Array(sound.dropLast()), sound + [0], port,
    ] {
      #expect(throws: FormatError.malformed) { try LookupInput(bytes) }
    }
  }
}
