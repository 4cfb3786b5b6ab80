import Glibc
import SecretVault
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
}
