import SecretVault
import Testing
import VaultAgent

/// The field that came to the unlock request later.
@Suite("An unlock request for a vault that a Unix group shares")
struct SharingRequestTests {
  private func bytes(of request: UnlockRequest) -> [UInt8] {
    Request.unlock(request).message.pieces.flatMap { piece in
      switch piece {
      case .plain(let bytes): bytes
      case .secret(let secret): secret.copied(as: [UInt8].self)
      }
    }
  }

  @Test("it has the group's number at the end; one for a vault of one user is as it always was")
  func atTheEnd() throws {
    let path = try VaultPath(resolving: "/tmp/test.vault")
    let secret = try SecretBytes(copying: Array("secret".utf8))
    var request = UnlockRequest(path: path, credential: .passphrase(secret))
    let old = bytes(of: request)
    #expect(old.suffix(10) == [0, 0, 0, 6] + Array("secret".utf8))
    request.sharedWith = 61_100
    #expect(bytes(of: request) == old + [0, 0, 0xee, 0xac])
    #expect(request.options.sharedWith == UnixGroup(number: 61_100))
  }
}
