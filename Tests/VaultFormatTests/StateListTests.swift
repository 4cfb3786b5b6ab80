import Testing
import VaultFormat

@Suite("States")
struct StateListTests {
  private func field(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
    var output = [tag]
    output.append(lengthPrefixed: value.span)
    return output
  }

  private var writersField: [UInt8] { field(1, Vectors.holder.array + bytes("0000000000000002")) }

  private func parse(_ list: [UInt8], of owner: StateList.Owner) throws -> StateList {
    try StateList(parsing: list.span, of: owner)
  }

  @Test("the state of a group parses and writes back to the same bytes")
  func groupState() throws {
    let list = writersField + field(2, bytes("0000000000000009")) + field(63, [1, 2])
    let state = try parse(list, of: .group)
    #expect(state.bytes == list)
    #expect(state.writers.counter(of: Vectors.holder) == 2)
    #expect(state.restored == 9)
    #expect(state.sharingGroup == nil)
    #expect(state.isReadOnly == false)
    #expect(state.entries.map(\.tag) == [1, 2, 63])
  }

  @Test("the state of the head names the group that shares the file")
  func headState() throws {
    let list = field(2, bytes("000003e8"))
    let state = try parse(list, of: .head)
    #expect(state.bytes == list)
    #expect(state.sharingGroup == 1000)
    #expect(state.restored == nil)
  }

  @Test("an empty state is written as no bytes")
  func empty() throws {
    #expect(StateList(of: .group).bytes.isEmpty)
    #expect(try parse([], of: .head) == StateList(of: .head))
  }

  @Test("what is set is written by ascending tag")
  func changing() throws {
    var state = try parse(field(60, [7]), of: .group)
    state.restored = 3
    try state.writers.record(holder: Vectors.holder, counter: 2)
    #expect(state.bytes == writersField + field(2, bytes("0000000000000003")) + field(60, [7]))
    state.restored = nil
    #expect(state.bytes == writersField + field(60, [7]))
  }

  @Test("unknown tags are kept below 64, forbid writing below 128, and are refused above")
  func unknownTags() throws {
    for tag in 3...127 as ClosedRange<UInt8> {
      let state = try parse(field(tag, [1]), of: .group)
      #expect(state.bytes == field(tag, [1]))
      #expect(state.isReadOnly == (tag >= 64))
    }
    for tag in [128, 255] as [UInt8] {
      #expect(throws: FormatError.unsupportedVersion) { try parse(field(tag, []), of: .group) }
      #expect(throws: FormatError.unsupportedVersion) { try parse(field(tag, []), of: .head) }
    }
  }

  @Test("a state with a flaw is malformed")
  func malformed() {
    let refused: [[UInt8]] = [
      field(0, []), field(1, []), field(1, [1]), field(2, bytes("000003e8")),
      field(2, bytes("0000000000000000")), field(2, bytes("4000000000000001")),
      field(4, []) + field(3, []), field(3, []) + field(3, []), field(3, [1]).dropLast(),
      field(200, []) + field(200, []), field(3, Array(repeating: 1, count: 4092)),
    ]
    for list in refused {
      #expect(throws: FormatError.malformed) { try parse(list, of: .group) }
    }
    #expect(throws: FormatError.malformed) {
      try parse(field(2, bytes("0000000000000009")), of: .head)
    }
  }
}
