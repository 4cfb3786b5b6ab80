import Glibc
import SecretVault
import TestSupport
import Testing

/// What a child made by `fork` gets of the events of its parent.
@Suite("Changes after a fork")
struct ForkedReaderTests {
  @Test("C-11: in the child the changes are at their end, and the parent goes on to be told")
  func fork() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      let store = try child.openUnlocked()
      var events = store.changes.makeAsyncIterator()
      let copy = Glibc.fork()
      if copy == 0 {
        // Neither may wait: the child has none of the threads that could wake it.
        let subscribed = await events.next()
        var late = store.changes.makeAsyncIterator()
        let lateEvent = await late.next()
        _exit(subscribed == nil && lateEvent == nil ? 0 : 1)
      }
      var status: Int32 = 0
      unsafe waitpid(copy, &status, 0)
      #expect(status == 0)
      let other = try child.openUnlocked()
      try await other.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
      #expect(await events.next()?.text == "itemSet one")
      store.close()
    }
  }

  @Test(
    "a write in a child is refused as locked, whatever the readers of the parent were told meanwhile"
  )
  func forkInsideEvents() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      let store = try child.openUnlocked()
      let reading = Task.detached { for await _ in store.changes {} }
      let writing = Task.detached {
        while !Task.isCancelled {
          try await store.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
        }
      }
      for _ in 0..<200 {
        let copy = Glibc.fork()
        if copy == 0 {
          _exit(Self.code { try store.remove(ItemIdentity(service: "one")) } == .locked ? 0 : 1)
        }
        let isWell = exitCode(of: copy) == 0
        #expect(isWell)
        if !isWell { break }
      }
      writing.cancel()
      try await writing.value
      store.close()
      await reading.value
    }
  }

  /// The code with which a call fails.
  private static func code(_ body: () throws -> Bool) -> VaultError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? VaultError)?.code
    }
  }
}
