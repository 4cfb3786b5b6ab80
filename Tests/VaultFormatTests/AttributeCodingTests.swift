import Testing
import VaultFormat

@Suite("Attribute lists")
struct AttributeCodingTests {
  private let service = Array("com.example.api".utf8)
  private let account = Array("zoë@example.org".utf8)

  private func field(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
    var output = [tag]
    output.append(lengthPrefixed: value.span)
    return output
  }

  private var identity: [UInt8] { field(1, service) + field(2, account) }

  private var internetIdentity: [(AttributeTag, [UInt8])] {
    [
      (.server, Array("www.example.com".utf8)), (.account, account), (.securityDomain, []),
      (.networkProtocol, Array("htps".utf8)), (.authenticationType, Array("dflt".utf8)),
      (.port, [1, 187]), (.path, Array("/login".utf8)),
    ]
  }

  private func verdict(_ list: [UInt8], kind: UInt8 = 1) -> FormatError? {
    do throws(FormatError) {
      try AttributeCoding.validate(list.span, kind: kind)
      return nil
    } catch {
      return error
    }
  }

  private func value(of tag: AttributeTag, in list: [UInt8]) -> [UInt8]? {
    AttributeCoding.range(of: tag, in: list.span).map { Array(list[$0]) }
  }

  @Test("a list is written by ascending tag, in whatever order it is given")
  func encoding() throws {
    let list = try AttributeCoding.encode([(.account, account), (.service, service)])
    #expect(list == identity)
    #expect(verdict(list) == nil)
  }

  @Test("a value is found where it lies, and what is absent is nil")
  func finding() {
    let list = identity + field(4, [9, 9])
    #expect(value(of: .service, in: list) == service)
    #expect(value(of: .account, in: list) == account)
    #expect(value(of: .generic, in: list) == [9, 9])
    #expect(value(of: .label, in: list) == nil)
    #expect(value(of: .origin, in: list) == nil)
  }

  @Test("every attribute is visited once, by ascending tag")
  func visiting() throws {
    let list = identity + field(60, [1])
    var visited: [(AttributeTag, [UInt8])] = []
    try AttributeCoding.forEach(in: list.span) { tag, range throws(FormatError) in
      visited.append((tag, Array(list[range])))
    }
    #expect(visited.map(\.0.rawValue) == [1, 2, 60])
    #expect(try AttributeCoding.encode(visited) == list)
  }

  @Test("a list with a flaw in its order or its lengths is malformed")
  func structure() {
    let refused: [[UInt8]] = [
      field(2, account) + field(1, service), identity + field(2, account), field(0, []) + identity,
      identity + [3], identity + [3, 0, 0, 0], identity + [3, 0, 0, 0, 1],
      identity + [3, 0xff, 0xff, 0xff, 0xff], Array(identity.dropLast()),
    ]
    for list in refused {
      #expect(verdict(list) == .malformed)
    }
  }

  @Test("a list without an attribute that names the item is malformed")
  func identityTags() throws {
    #expect(verdict([]) == .malformed)
    #expect(verdict(field(1, service)) == .malformed)
    #expect(verdict(field(2, account)) == .malformed)
    #expect(verdict(identity, kind: 2) == .malformed)
    let internet = try AttributeCoding.encode(internetIdentity)
    #expect(verdict(internet, kind: 2) == nil)
    #expect(verdict(internet, kind: 1) == .malformed)
    for index in internetIdentity.indices {
      var partial = internetIdentity
      partial.remove(at: index)
      #expect(verdict(try AttributeCoding.encode(partial), kind: 2) == .malformed)
    }
  }

  @Test("an unknown kind asks for no attribute", arguments: [3, 255] as [UInt8])
  func unknownKind(kind: UInt8) {
    #expect(verdict([], kind: kind) == nil)
  }

  @Test("an unknown tag below 128 is accepted, one from 128 on is not supported")
  func unknownTags() {
    for tag in [15, 22, 23, 31, 60, 64, 127] as [UInt8] {
      let list = tag == 15 ? identity + field(tag, [1, 2]) : identity + field(tag, [])
      #expect(verdict(list) == nil)
    }
    for tag in [128, 255] as [UInt8] {
      #expect(verdict(identity + field(tag, [])) == .unsupportedAttribute)
    }
  }

  @Test("a malformed list is malformed, whatever tags it holds")
  func malformedFirst() {
    #expect(verdict(field(128, [])) == .malformed)
    #expect(verdict(identity + field(128, []) + field(128, [])) == .malformed)
  }

  @Test(
    "a value of fixed width has exactly that width",
    arguments: [
      (6, 8), (7, 8), (9, 4), (10, 4), (11, 1), (12, 1), (20, 2), (24, 8), (25, 1), (26, 1),
      (27, 4),
      (28, 1), (30, 24),
    ] as [(UInt8, Int)]
  )
  func widths(tag: UInt8, width: Int) {
    for count in [0, width - 1, width, width + 1] {
      let list = identity + field(tag, Array(repeating: 1, count: count))
      #expect(verdict(list) == (count == width ? nil : .malformed))
    }
    #expect(throws: FormatError.malformed) {
      try AttributeCoding.encode([
        (AttributeTag(rawValue: tag), Array(repeating: 1, count: width + 1))
      ])
    }
  }

  @Test("forms are pairs of an ascending tag and 1 or 2")
  func forms() {
    for value in [[], [1, 1], [1, 2, 2, 1]] as [[UInt8]] {
      #expect(verdict(identity + field(29, value)) == nil)
    }
    for value in [[1], [0, 1], [1, 0], [1, 3], [2, 1, 1, 1], [1, 1, 1, 1]] as [[UInt8]] {
      #expect(verdict(identity + field(29, value)) == .malformed)
    }
  }

  @Test("a value has at most 65 536 bytes and a list at most 81 916")
  func limits() throws {
    let largest = [UInt8](repeating: 1, count: 65_536)
    #expect(verdict(field(1, largest) + field(2, [])) == nil)
    #expect(verdict(field(1, largest + [1]) + field(2, [])) == .malformed)
    #expect(throws: FormatError.limitExceeded) {
      try AttributeCoding.encode([(.service, largest + [1])])
    }
    let rest = [UInt8](repeating: 2, count: 81_916 - 65_536 - 10)
    let full = try AttributeCoding.encode([(.service, largest), (.account, rest)])
    #expect(full.count == 81_916)
    #expect(verdict(full) == nil)
    #expect(verdict(field(1, largest) + field(2, rest + [2])) == .malformed)
    #expect(throws: FormatError.limitExceeded) {
      try AttributeCoding.encode([(.service, largest), (.account, rest + [2])])
    }
  }

  @Test("a tag that is 0 or given twice is not written")
  func unwritable() {
    #expect(throws: FormatError.malformed) {
      try AttributeCoding.encode([(AttributeTag(rawValue: 0), [])])
    }
    #expect(throws: FormatError.malformed) {
      try AttributeCoding.encode([(.label, [1]), (.label, [2])])
    }
  }
}
