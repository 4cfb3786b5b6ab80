import Foundation
import SecretVault
import TestSupport
import Testing

/// What is remembered outside the vault may be late, and must never raise a false alarm or stop a write.
@Suite(
  "Anchors of killed and hindered programs",
  .enabled(
    if: SystemCallTracer.readsArguments,
    "strace is missing, or it may not read the tool's memory: this needs root"
  )
)
struct AnchorTests {
  private let item = ItemIdentity(service: "api.example.com", account: "alice")
  private let vault: ProcessVault

  init() throws {
    vault = try ProcessVault()
    try vault.withStore { store in try store.set(SecretBytes("0"), for: item) }
  }

  @Test(
    "M-5: after 200 kills between commit and anchor the commit holds and nothing looks rolled back"
  )
  func killBeforeAnchor() throws {
    let anchor = try groupAnchor()
    for number in 1...200 {
      let before = try digest(of: anchor)
      let request = vault.tool("set", "api.example.com", "alice", input: .text("\(number)"))
      let outcome = try SystemCallTracer.kill(
        request,
        before: SystemCall(name: "pwrite64", number: 1),
        on: vault.folder.path(anchor)
      )
      .run()
      #expect(outcome.signal == SIGKILL)
      #expect(try digest(of: anchor) == before)
      let (secret, notices) = try reopened()
      #expect(secret == "\(number)")
      #expect(notices.isEmpty)
      #expect(try digest(of: anchor) != before)
    }
  }

  @Test(
    "F-6: an anchor that cannot be written is told, the write holds, and the next opening heals it",
    arguments: ["ENOSPC", "EROFS", "EDQUOT", "EIO"]
  )
  func anchorNotWritable(error: String) throws {
    let anchor = try groupAnchor()
    let before = try digest(of: anchor)
    let outcome = try SystemCallTracer.fail(
      "pwrite64",
      with: error,
      of: vault.tool("set", "api.example.com", "alice", input: .text("new")),
      on: vault.folder.path(anchor)
    )
    .run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.contains("the state folder could not be written"))
    #expect(try digest(of: anchor) == before)
    let (secret, notices) = try reopened()
    #expect(secret == "new")
    #expect(notices.isEmpty)
    #expect(try digest(of: anchor) != before)
  }

  /// What the item holds in a vault that is opened anew, and what that opening had to tell.
  private func reopened() throws -> (secret: String?, notices: [Notice]) {
    try vault.withStore { store in
      (try store.secret(for: item)?.copiedAsString(), store.takeNotices())
    }
  }

  /// A short name for the bytes of a file.
  private func digest(of name: String) throws -> Int {
    try #require(vault.folder.contents(of: name)).hashValue
  }

  /// The name of the anchor of the vault's one group.
  private func groupAnchor() throws -> String {
    let root = String(repeating: "0", count: 32)
    let folder = "state/anchors"
    let name = try vault.folder.names(in: folder).first {
      $0.count == root.count * 2 + 1 && !$0.hasSuffix(root)
    }
    return folder + "/" + (try #require(name))
  }
}
