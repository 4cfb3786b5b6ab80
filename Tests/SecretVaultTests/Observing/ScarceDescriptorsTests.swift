import Foundation
import Glibc
import SecretVault
import Testing

/// Following changes where descriptors are scarce, and giving back those that it took.
@Suite("Changes and descriptors", .timeLimit(.minutes(2)))
struct ScarceDescriptorsTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
    try vault.create().close()
  }

  @Test("where the folder cannot be watched, a notice says so and changes come within seconds")
  func polling() async throws {
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      let store = try child.openUnlocked()
      let other = try child.openUnlocked()
      try await other.set(SecretBytes("s"), for: ItemIdentity(service: "before"))
      await Descriptors.prepareDispatch()
      var events = try Descriptors.withoutMore { store.changes.makeAsyncIterator() }
      #expect(store.takeNotices().contains(.changesPolled))
      let start = ContinuousClock.now
      try await other.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
      #expect(await events.next()?.text == "itemSet one")
      #expect(start.duration(to: .now) < .seconds(10))
      store.close()
      #expect(await events.next()?.kind == .locked)
      #expect(await events.next() == nil)
    }
  }

  @Test("nothing stays open of iterators and stores that were let go")
  func leaks() async throws {
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      await Descriptors.prepareDispatch()
      var before = 0
      for round in 0..<20 {
        do {
          let store = try child.openUnlocked()
          let other = try child.openUnlocked()
          var first = store.changes.makeAsyncIterator()
          var second: VaultEvents.Iterator? = store.changes.makeAsyncIterator()
          try await other.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
          #expect(await first.next()?.text == "itemSet one")
          #expect(await second?.next()?.text == "itemSet one")
          second = nil
          if round % 2 == 0 { store.close() }
        }
        // Dispatch closes what a source had in its own time; what the first round left is not of the stores.
        let limit = round == 0 ? .max : before
        var isLast = false
        let deadline = ContinuousClock.now + .seconds(round == 0 ? 1 : 20)
        while !isLast {
          isLast = try Descriptors.count <= limit && round > 0 || ContinuousClock.now > deadline
          try await Task.sleep(for: .milliseconds(10))
        }
        if round == 0 { before = try Descriptors.count }
        #expect(try Descriptors.count <= before)
      }
    }
  }
}

/// The descriptors of this process.
private enum Descriptors {
  static var count: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
  }

  /// Dispatch opens what it needs when it is first used.
  static func prepareDispatch() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) {
        continuation.resume()
      }
    }
  }

  static func forbidMore() throws -> rlimit {
    var limit = rlimit()
    try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    let next = dup(0)
    try #require(next >= 0)
    close(next)
    var none = rlimit(rlim_cur: rlim_t(next), rlim_max: limit.rlim_max)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0)
    return limit
  }

  static func allow(_ limit: rlimit) throws {
    var limit = limit
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }

  static func withoutMore<Result>(_ body: () -> Result) throws -> Result {
    let limit = try forbidMore()
    let result = body()
    try allow(limit)
    return result
  }
}
