import Foundation
import SecretVault
import TestSupport
import Testing

/// A process that was stopped while it held a lock of the state folder holds up nobody.
@Suite("Held locks of the state folder")
struct HeldLockTests {
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  @Test(
    "F-6: while every anchor is locked by another process a set works, and says what is missing"
  )
  func heldAnchors() throws {
    let vault = try ProcessVault()
    let set = vault.tool("set", "api.example.com", "alice", input: .text("token"))
    do {
      let locks = try vault.folder.names(in: "state/anchors").map { name in
        try HeldLock(vault.folder.path("state/anchors/" + name))
      }
      #expect(locks.count == 4)
      let outcome = try set.run(within: .seconds(30))
      #expect(outcome.exitCode == 0)
      #expect(outcome.errorText.contains("the state folder could not be written"))
      withExtendedLifetime(locks) {}
    }
    let (secret, notices) = try vault.withStore { store in
      (try store.secret(for: item)?.copiedAsString(), store.takeNotices())
    }
    #expect(secret == "token")
    #expect(notices.isEmpty)
    #expect(try set.run().errorText.isEmpty)
  }
}

/// An exclusive `flock` on a file, held until the last reference goes.
private final class HeldLock {
  private let file: FileHandle

  init(_ path: String) throws {
    // Not handed on to the children of other tests, which would hold the lock as well.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
      throw UnexpectedEnd(description: "\(path) is locked already")
    }
  }
}
