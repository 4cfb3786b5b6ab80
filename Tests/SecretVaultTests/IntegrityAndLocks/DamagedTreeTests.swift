import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("A B-tree that somebody edited")
struct DamagedTreeTests {
  private let vault: TemporaryVault

  /// A vault with three items, so that every table is one leaf page, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(3, "base")
    try store.closeDrained()
  }

  /// What is done to the list of cells of a page.
  enum Edit: CaseIterable {
    case unreachable
    case reversed
    case swapped
    case duplicated
    case repeatedAtEnd
    case outsideThePage
    case insideTheHeader
    case countless
    case ofAnotherKind
  }

  @Test(
    "D-3: a row that is unreachable, duplicated or out of order is tampering",
    arguments: Edit.allCases
  )
  func claims(_ edit: Edit) throws {
    try apply(edit, to: "claim")
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) { try store.items() }
    #expect(try !store.administration(with: vault.credential).check().isSound)
  }

  @Test("D-3: the same holds for the list of pages", arguments: Edit.allCases)
  func pages(_ edit: Edit) throws {
    try apply(edit, to: "page")
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) { try store.items() }
    #expect(try !store.administration(with: vault.credential).check().isSound)
  }

  @Test(
    "D-3: the table of boxes gives an item its own box, or tampering, and never another's",
    arguments: Edit.allCases
  )
  func boxes(_ edit: Edit) throws {
    let store = try vault.openUnlocked()
    for number in 0..<3 {
      try store.set(SecretBytes("of \(number)"), for: ItemIdentity(service: "base-\(number)"))
    }
    try store.closeDrained()
    try apply(edit, to: "box")
    let other = try vault.openUnlocked()
    for number in 0..<3 {
      do {
        let secret = try other.secret(for: ItemIdentity(service: "base-\(number)"))
        #expect(secret?.text == "of \(number)")
      } catch {
        #expect(error == VaultError(.tampered))
      }
    }
    #expect(try !other.administration(with: vault.credential).check().isSound)
  }

  /// Edits the one leaf page of a table (sqlite.org/fileformat2.html, section 1.6).
  private func apply(_ edit: Edit, to table: String) throws {
    let root = try RawDatabase(vault.path)
      .rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    let number = try #require(root.first.flatMap { Int($0) })
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: vault.path)))
    let page = (number - 1) * 4_096
    let isLeaf = file[page] == 0x0a || file[page] == 0x0d
    try #require(isLeaf && file[page + 4] == 3)
    let cells = (0..<3).map { Array(file[(page + 8 + 2 * $0)..<(page + 10 + 2 * $0)]) }
    func setCells(_ pointers: [[UInt8]]) {
      file[page + 4] = UInt8(pointers.count)
      for (index, pointer) in pointers.enumerated() {
        file.replaceSubrange((page + 8 + 2 * index)..<(page + 10 + 2 * index), with: pointer)
      }
    }
    switch edit {
    case .unreachable: setCells([cells[0], cells[2]])
    case .reversed: setCells(cells.reversed())
    case .swapped: setCells([cells[1], cells[0], cells[2]])
    case .duplicated: setCells([cells[0], cells[0], cells[2]])
    case .repeatedAtEnd: setCells(cells + [cells[0]])
    case .outsideThePage: setCells([cells[0], [0xff, 0xff], cells[2]])
    case .insideTheHeader: setCells([cells[0], [0, 0], cells[2]])
    case .countless: file[page + 3] = 0xff
    case .ofAnotherKind: file[page] ^= 0x08
    }
    try vault.writePrivately(Data(file), to: vault.path)
  }
}
