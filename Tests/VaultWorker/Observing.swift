import Dispatch
import Glibc
import SecretVault
import Synchronization

extension WorkingVault {
  /// Makes random changes among a few items, and adds one to a counter between them; prints how many commits and how
  /// many additions there were.
  func writeRandomly(_ name: String, times: Int) throws {
    let store = try openUnlocked()
    var commits = 0
    var additions = 0
    for number in 0..<times {
      let identity = ItemIdentity(service: "item \(Int.random(in: 0..<24))")
      switch Int.random(in: 0..<6) {
      case 0: if try store.remove(identity) { commits += 1 }
      case 1:
        do {
          try store.update(identity) { item, _ in
            item.identity.service = AttributeValue("item \(Int.random(in: 24..<48))")
          }
          commits += 1
        } catch let error as VaultError where [.itemNotFound, .duplicateItem].contains(error.code) {
        }
      case 2, 3:
        try add(1, to: ItemIdentity(service: "counter"), in: store)
        (commits, additions) = (commits + 1, additions + 1)
      default:
        try store.set(SecretBytes(copying: Array("\(name) \(number)".utf8)), for: identity)
        commits += 1
      }
    }
    store.close()
    print("\(commits) \(additions)")
  }

  private func add(_ number: Int, to identity: ItemIdentity, in store: SecretStore) throws {
    try store.update(identity) { _, secret in
      let sum = (secret?.copiedAsString().flatMap { Int($0) } ?? 0) + number
      secret = try SecretBytes(copying: Array(String(sum).utf8))
    }
  }

  /// Follows the changes until an item of the service `end` is set, keeps a copy of what they say, and prints whether that
  /// is what a listing says then; how often everything had to be read again; and how many events there were.
  func observe() throws {
    let store = try openUnlocked()
    let end = DispatchSemaphore(value: 0)
    Task {
      do { try await Follower(store).followToEnd() } catch {
        print(error)
        exit(1)
      }
      end.signal()
    }
    end.wait()
  }

  /// Follows the changes and does nothing, until it is killed; says when it has begun.
  func observeIdly(creating readyPath: String) throws {
    let store = try openUnlocked()
    Task {
      var events = store.changes.makeAsyncIterator()
      let file = unsafe Glibc.open(readyPath, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      close(file)
      while await events.next() != nil {}
    }
    while true { pause() }
  }

  /// Reads and lists from several threads at once, and prints how many milliseconds the longest call took.
  func read(_ service: String, inThreads count: Int, times: Int) throws {
    let store = try openUnlocked()
    let longest = Mutex(Duration.zero)
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      for _ in 0..<times {
        let start = ContinuousClock.now
        do {
          guard try store.secret(for: ItemIdentity(service: service)) != nil,
            try !store.items().items.isEmpty
          else { exit(1) }
        } catch {
          print(error)
          exit(1)
        }
        let duration = start.duration(to: .now)
        longest.withLock { $0 = max($0, duration) }
      }
    }
    print(
      longest.withLock {
        $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000
      }
    )
  }
}

/// A copy of the items, kept by events alone.
private struct Follower {
  private let store: SecretStore
  private var copy: [String: Entry] = [:]
  private var readings = 0

  private struct Entry: Equatable {
    let identity: ItemIdentity?
    let version: UInt64
  }

  init(_ store: SecretStore) {
    self.store = store
  }

  func followToEnd() async throws {
    var follower = self
    var events = store.changes.makeAsyncIterator()
    follower.copy = try await Self.listing(store)
    var count = 0
    while try await !follower.isAtEnd(), let event = await events.next() {
      count += 1
      try await follower.apply(event)
    }
    print("\(try await follower.isAtEnd()) \(follower.readings) \(count)")
  }

  /// Whether everything was written, and the copy is what a listing says.
  private func isAtEnd() async throws -> Bool {
    guard copy.values.contains(where: { $0.identity?.service == "end" }) else { return false }
    return try await copy == Self.listing(store)
  }

  private mutating func apply(_ event: VaultEvent) async throws {
    switch (event.kind, event.item) {
    case (.itemSet, let item?), (.itemRenamed, let item?):
      copy[item.itemID] = Entry(identity: item.identity, version: item.version)
    case (.itemRemoved, let item?): copy[item.itemID] = nil
    case (.anythingMayHaveChanged, _):
      readings += 1
      copy = try await Self.listing(store)
    default: break
    }
  }

  private static func listing(_ store: SecretStore) async throws -> [String: Entry] {
    var entries: [String: Entry] = [:]
    for item in try await store.items().items {
      entries[item.itemID] = Entry(identity: item.identity, version: item.version)
    }
    return entries
  }
}
