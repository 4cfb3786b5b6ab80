import Foundation
import SecretVault
import Testing

@Suite("A file that is cut or mislabelled")
struct DamagedFileTests {
  private let vault: TemporaryVault

  /// A vault with some thirty pages, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    for number in 0..<10 {
      let secret = try SecretBytes(copying: [UInt8](repeating: UInt8(number), count: 9_000))
      try store.set(secret, for: ItemIdentity(service: "base-\(number)"))
    }
    try store.closeDrained()
  }

  private func edit(_ change: (inout [UInt8]) -> Void) throws {
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: vault.path)))
    change(&file)
    try vault.writePrivately(Data(file), to: vault.path)
  }

  @Test("D-4: a file without a whole header is no vault", arguments: [0, 1])
  func cutInHeader(_ count: Int) throws {
    try edit { $0 = Array($0.prefix(count)) }
    #expect(throws: VaultError(.notAVault)) { try vault.open() }
  }

  @Test(
    "D-4: a file that ends within its first page has a corrupt header",
    arguments: [99, 100, 512, 4_095]
  )
  func cutInFirstPage(_ count: Int) throws {
    try edit { $0 = Array($0.prefix(count)) }
    #expect(throws: VaultError(.corruptHeader)) { try vault.open() }
  }

  @Test(
    "D-4: a file that is cut at a page gives no wrong answer, and an error where a page is missing"
  )
  func cutAtPage() throws {
    let whole = try vault.copy()
    let count = try Data(contentsOf: URL(fileURLWithPath: vault.path)).count / 4_096
    #expect(count > 20)
    let refusals: Set<VaultError.Code> = [.notAVault, .corruptHeader, .tampered]
    for pages in 1..<count {
      try vault.put(whole)
      try edit { $0 = Array($0.prefix(pages * 4_096)) }
      let error = #expect(throws: VaultError.self, "\(pages) pages") {
        let store = try vault.openUnlocked()
        defer { store.close() }
        for number in 0..<10 {
          let secret = try store.secret(for: ItemIdentity(service: "base-\(number)"))
          #expect(
            secret?.copied(as: [UInt8].self) == [UInt8](repeating: UInt8(number), count: 9_000)
          )
        }
      }
      #expect(error.map { refusals.contains($0.code) } == true, "\(pages) pages")
    }
  }

  /// Bytes of the file's header (sqlite.org/fileformat2.html, section 1.3), and what becomes of the vault.
  struct HeaderEdit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let offset: Int
    let bytes: [UInt8]
    let code: VaultError.Code

    init(_ testDescription: String, _ offset: Int, _ bytes: [UInt8], _ code: VaultError.Code) {
      self.testDescription = testDescription
      self.offset = offset
      self.bytes = bytes
      self.code = code
    }
  }

  @Test(
    "D-4: a file with another header is refused before any key is derived",
    arguments: [
      HeaderEdit("another magic", 0, [0], .notAVault),
      HeaderEdit("page size 0", 16, [0, 0], .notAVault),
      HeaderEdit("page size that is no power of two", 16, [0x10, 1], .notAVault),
      HeaderEdit("page size 8192", 16, [0x20, 0], .corruptHeader),
      HeaderEdit("page size 65536", 16, [0, 1], .corruptHeader),
      HeaderEdit("rollback journal", 18, [1, 1], .notAVault),
      HeaderEdit("read version of the future", 19, [9], .notAVault),
      HeaderEdit("payload fraction 0", 21, [0], .notAVault),
      HeaderEdit("schema format of the future", 47, [9], .inputOutput),
      HeaderEdit("UTF-16", 59, [2], .corruptHeader),
    ]
  )
  func header(_ header: HeaderEdit) throws {
    try edit { file in
      for (index, byte) in header.bytes.enumerated() { file[header.offset + index] = byte }
    }
    #expect(throws: VaultError(header.code)) { try vault.open() }
  }

  @Test("D-4: a file that a newer SQLite wants to be read only is read, and not written")
  func writeVersion() throws {
    try edit { $0[18] = 9 }
    let store = try vault.openUnlocked()
    #expect(try store.items().items.count == 10)
    #expect(throws: VaultError(.readOnly)) { try store.write(1, "later") }
  }
}
