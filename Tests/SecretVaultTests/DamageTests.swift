import Testing
import VaultDatabase

@testable import SecretVault

@Suite("What is no damage of a file")
struct DamageTests {
  @Test("is thrown, and no advice to restore a backup", arguments: DatabaseError.Code.allCases)
  func nilIfDamaged(code: DatabaseError.Code) throws {
    func read() throws(VaultError) -> Void? {
      try SecretVault.nilIfDamaged { () throws(DatabaseError) in throw DatabaseError(code) }
    }
    switch code {
    case .io: #expect(throws: VaultError(.inputOutput)) { try read() }
    case .outOfMemory: #expect(throws: VaultError(.limitExceeded)) { try read() }
    case .busy: #expect(throws: VaultError(.busy)) { try read() }
    case .full: #expect(throws: VaultError(.full)) { try read() }
    default: #expect(try read() == nil)
    }
  }
}
