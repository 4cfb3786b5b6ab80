import Foundation
import SecretVault
import TestSupport
import Testing

/// Processes that follow what other processes write.
@Suite("Many processes that see each other")
struct ObservingTests {
  /// How much a test does; the environment can ask for more.
  private static func setting(_ name: String, or value: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
  }

  @Test(
    "C-6: eight processes that write at random, half of them in another group, lose nothing, and four that follow end with the true state"
  )
  func randomWrites() throws {
    let times = Self.setting("SECRETVAULT_OBSERVED_WRITES", or: 60)
    let groups = ["default", "work"]
    let vault = try ProcessVault()
    try vault.withStore { store in
      try store.administration(with: vault.credential).createGroup("work")
      for group in groups {
        try store.set(SecretBytes("0"), for: ItemIdentity(service: "counter", group: group))
      }
    }
    let readers = try (0..<4).map { _ in try ChildProcess(vault.worker("observe")) }
    let writers = try (0..<8).map { number in
      let words = ["writer \(number)", groups[number % 2], "\(times)"]
      return try ChildProcess(vault.worker("write-randomly", words[0], words[1], words[2]))
    }
    var commits: [UInt64] = [0, 0]
    var additions = [0, 0]
    for (number, writer) in writers.enumerated() {
      let outcome = try writer.finish(within: .seconds(600))
      #expect(outcome.exitCode == 0, "\(outcome.text)")
      let numbers = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
      try #require(numbers.count == 2)
      commits[number % 2] += numbers[0]
      additions[number % 2] += Int(numbers[1])
    }
    try vault.withStore { store in
      for (index, group) in groups.enumerated().reversed() {
        let end = ItemIdentity(service: index == 0 ? "end" : "end of work", group: group)
        try store.set(SecretBytes("s"), for: end)
        // The creation and the counter were the first two commits, and the end is the last.
        #expect(try store.item(for: end)?.version == commits[index] + 3)
        let counter = try store.secret(for: ItemIdentity(service: "counter", group: group))
        #expect(counter?.copiedAsString() == "\(additions[index])")
      }
      let report = try store.administration(with: vault.credential).check()
      #expect(report.isSound)
    }
    for reader in readers {
      let outcome = try reader.finish(within: .seconds(60))
      #expect(outcome.exitCode == 0)
      let words = outcome.text.split(whereSeparator: \.isWhitespace)
      #expect(words.first == "true", "\(outcome.text)")
      // Too few changes at a time for anything but events one by one.
      #expect(words.dropFirst().first == "0", "\(outcome.text)")
      #expect(words.last.flatMap { Int($0) } ?? 0 > times / 2, "\(outcome.text)")
    }
  }

  @Test("a process that follows a vault which nobody writes does nothing at all")
  func idleReader() async throws {
    let seconds = Self.setting("SECRETVAULT_IDLE_SECONDS", or: 5)
    let vault = try ProcessVault()
    let ready = vault.folder.path("ready")
    let reader = try ChildProcess(vault.worker("observe-idly", ready))
    defer {
      reader.send(SIGKILL)
      _ = try? reader.finish()
    }
    while !FileManager.default.fileExists(atPath: ready) {
      try await Task.sleep(for: .milliseconds(10))
    }
    // Dispatch lets its threads go some seconds after their last work.
    try await Task.sleep(for: .seconds(8))
    let before = try Activity(of: reader.identifier)
    try await Task.sleep(for: .seconds(seconds))
    let after = try Activity(of: reader.identifier)
    #expect(after.threads == before.threads)
    // One tick of the kernel's coarse clock.
    #expect(after.processorTime - before.processorTime <= .milliseconds(10))
    #expect(after.waitsOfMainThread == before.waitsOfMainThread)
    // Dispatch, on which Swift's tasks run, looks after its threads once a second in every program; nothing else wakes.
    #expect(after.waits - before.waits <= seconds + 2)
  }

  @Test(
    "readers and listings of many threads do not wait for a process that is in the middle of a write"
  )
  func readersDoNotWait() throws {
    let vault = try ProcessVault()
    try vault.withStore { store in
      for number in 0..<50 {
        try store.set(SecretBytes("s"), for: ItemIdentity(service: "item \(number)"))
      }
    }
    let lock = unsafe open(vault.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let writer = try RawDatabase(vault.path)
    try writer.execute("BEGIN IMMEDIATE; DELETE FROM box; UPDATE grp SET tag = zeroblob(32)")
    let outcome = try vault.worker("read-in-threads", "item 7", "8", "50").run(within: .seconds(60))
    #expect(outcome.exitCode == 0, "\(outcome.text)")
    let longest = Int(outcome.text.trimmingCharacters(in: .newlines))
    // A writer is waited for up to five seconds.
    #expect(longest ?? .max < 2000)
    try writer.execute("ROLLBACK")
  }

  @Test(
    "C-13: while a reader keeps its state for long, commits succeed and the log is emptied once it ends"
  )
  func longReader() throws {
    let vault = try ProcessVault()
    let identity = ItemIdentity(service: "item")
    try vault.withStore { store in
      try store.set(SecretBytes("first"), for: identity)
      try store.emptyLog()
      let tail = try ChildProcess(vault.longReader())
      defer { tail.send(SIGKILL) }
      try waitUntil { try vault.folder.names(in: ".").contains("reading") }
      for number in 0..<200 { try store.set(SecretBytes("secret \(number)"), for: identity) }
      // The reader's state is in the file still, so the log cannot be emptied; that is no error.
      #expect(try store.emptyLog() == false)
      let size = try vault.logByteCount
      for number in 0..<200 { try store.set(SecretBytes("secret \(number)"), for: identity) }
      #expect(try vault.logByteCount >= size)
      tail.send(SIGTERM)
      _ = try? tail.finish()
      #expect(try store.emptyLog())
      #expect(try vault.logByteCount == 0)
      #expect(try store.secret(for: identity)?.copiedAsString() == "secret 199")
    }
  }
}

/// What the kernel counts for a process and its threads.
private struct Activity {
  let threads: Int
  /// Processor time as the scheduler counts it; ticks would charge a whole one for a wake that meets it.
  let processorTime: Duration
  /// How often a thread gave its processor up to wait, which it can only after it was woken.
  let waits: Int
  /// The same of the main thread alone.
  let waitsOfMainThread: Int

  init(of process: pid_t) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    threads = names.count
    waits = try names.reduce(0) { try $0 + Self.waits(of: "/proc/\(process)/task/\($1)/status") }
    let times = try names.map { try Self.nanoseconds(of: "/proc/\(process)/task/\($0)/schedstat") }
    processorTime = .nanoseconds(times.reduce(0, +))
    waitsOfMainThread = try Self.waits(of: "/proc/\(process)/status")
  }

  private static func nanoseconds(of path: String) throws -> Int {
    let first = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").first
    return try #require(first.flatMap { Int($0) })
  }

  private static func waits(of path: String) throws -> Int {
    let line = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
  }
}

extension ProcessVault {
  /// How many bytes the write-ahead log has.
  fileprivate var logByteCount: Int {
    get throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      return (attributes[.size] as? Int) ?? 0
    }
  }

  /// A process that begins to read the vault, makes the file `reading`, and stays at the state that it saw.
  fileprivate func longReader() -> ChildProcess.Request {
    let program = """
      import sqlite3, sys, time
      vault = sqlite3.connect(sys.argv[1], isolation_level=None)
      vault.execute("BEGIN")
      vault.execute("SELECT count(*) FROM box").fetchall()
      open(sys.argv[2], "w").close()
      time.sleep(60)
      """
    var request = worker("")
    request.executable = "/usr/bin/python3"
    request.arguments = ["-c", program, path, folder.path("reading")].map { Array($0.utf8) }
    return request
  }
}
