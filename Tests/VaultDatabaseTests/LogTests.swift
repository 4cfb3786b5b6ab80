import CSQLite
import Glibc
import Synchronization
import Testing

@testable import VaultDatabase

/// How often SQLite was asked how long a log is, which a function of C cannot note elsewhere.
private let sizeQuestionCount = Atomic<Int>(0)

@Suite("The write-ahead log")
struct LogTests {
  private static let frameByteCount = 24 + 4096

  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault(busyTimeout: 60)
    connection = try vault.database.connect(.readWrite)
    #expect(try connection.checkpoint(.truncate))
  }

  private func commit(_ seed: Int) throws {
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96, seed: seed), state: []))
    }
  }

  private func byteCount() throws -> Int { try vault.bytes(of: "test.vault-wal").count }

  @Test("a single commit leaves a log of its own length")
  func singleCommit() throws {
    try commit(1)
    #expect(try byteCount() == 32 + Self.frameByteCount)
  }

  @Test("later commits find the log longer than they need it, by at most 256 KiB")
  func growth() throws {
    try commit(1)
    var commitsThatLengthened = 0
    for number in 2...100 {
      let before = try byteCount()
      try commit(number)
      let used = 32 + number * Self.frameByteCount
      #expect(try (used...used + 9 * Self.frameByteCount + 256 * 1024).contains(byteCount()))
      if try byteCount() != before { commitsThatLengthened += 1 }
    }
    #expect(commitsThatLengthened < 20)
  }

  @Test("how long the log is, only a commit asks for which it may be too short")
  func questions() throws {
    let connection = try #require(connection as? SQLiteConnection)
    var number = 60
    for seed in 1...number { try commit(seed) }
    guard let log = unsafe csqlite_log(try connection.handle()),
      let ownMethods = unsafe log.pointee.pMethods
    else {
      Issue.record("there is no log")
      return
    }
    var methods = unsafe ownMethods.pointee
    unsafe methods.xFileSize = { _, _ in
      sizeQuestionCount.add(1, ordering: .relaxed)
      return SQLITE_IOERR
    }
    try unsafe withUnsafePointer(to: methods) { methods in
      unsafe log.pointee.pMethods = methods
      defer { unsafe log.pointee.pMethods = ownMethods }
      let firstNumber = number
      while try byteCount() >= 32 + (number + 8) * Self.frameByteCount {
        number += 1
        try commit(number)
      }
      #expect(number > firstNumber)
      #expect(sizeQuestionCount.load(ordering: .relaxed) == 0)
      try commit(number + 1)
      #expect(sizeQuestionCount.load(ordering: .relaxed) == 1)
    }
  }

  @Test("what is behind the commits is nothing to a program that finds the log")
  func foundByAnother() throws {
    for seed in 1...20 { try commit(seed) }
    let other = try vault.database.connect(.readWrite)
    connection.close()
    #expect(try other.head().record == pattern(96, seed: 20))
    #expect(try other.integrityCheck())
    #expect(try other.checkpoint(.truncate))
    #expect(try byteCount() == 0)
  }

  @Test("a long log is written back after a commit, and used again from its start")
  func writtenBack() throws {
    for number in 1...2500 { try commit(number) }
    #expect(try byteCount() < 32 + 1010 * Self.frameByteCount + 256 * 1024)
    #expect(try connection.head().record == pattern(96, seed: 2500))
  }

  @Test("a log that another has emptied is begun without zeros")
  func emptiedByAnother() throws {
    for seed in 1...5 { try commit(seed) }
    #expect(try vault.database.connect(.readWrite).checkpoint(.truncate))
    try commit(6)
    #expect(try byteCount() == 32 + Self.frameByteCount)
  }

  @Test("a limit on the size of files is reached by commits alone")
  func fileSizeLimit() async {
    await #expect(processExitsWith: .success) {
      let tests = try LogTests()
      try tests.commit(1)
      // The signal ends a process as the system starts it; one of a test may ignore it or hold it back.
      signal(SIGXFSZ, SIG_DFL)
      var signals = sigset_t()
      unsafe sigaddset(&signals, SIGXFSZ)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let byteCount = rlim_t(32 + 12 * LogTests.frameByteCount)
      var limit = rlimit(rlim_cur: byteCount, rlim_max: .max)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      for seed in 2...12 { try tests.commit(seed) }
    }
  }
}
