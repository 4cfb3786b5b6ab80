import Foundation
import SecretVault
import TestSupport
import Testing

/// A crash while a secret is held shows nothing of it.
@Suite("Crashes")
struct CrashTests {
  private let vault: ProcessVault
  private let secret = "Tr0ub4dor&3-correct-horse-battery-staple-0123456789"
  private static let marker = "an ordinary buffer of the program"

  init() throws {
    vault = try ProcessVault()
    try vault.withStore { [secret] store in
      try store.set(SecretBytes(secret), for: ItemIdentity(service: "held"))
    }
  }

  @Test("P-3: a hardened program that aborts with a secret in hand writes no core")
  func hardenedAbort() throws {
    let outcome = try crash("abort", "hardened")
    #expect(outcome.signal == SIGABRT)
    #expect(try coreFile() == nil)
  }

  @Test(
    "P-3: the core of a program that is not hardened has ordinary buffers in it and no secret",
    .enabled(if: CrashTests.writesCoreFiles, "the system sends cores elsewhere")
  )
  func bareAbort() throws {
    let outcome = try crash("abort", "bare")
    #expect(outcome.signal == SIGABRT)
    let core = try #require(try coreFile())
    #expect(core.range(of: Data(Self.marker.utf8)) != nil)
    #expect(core.range(of: Data(secret.utf8)) == nil)
  }

  @Test("P-4: a hardened program that traps with a secret's address in a register prints one line")
  func hardenedTrap() throws {
    let outcome = try crash("trap", "hardened")
    #expect(outcome.signal == SIGILL || outcome.signal == SIGTRAP)
    #expect(outcome.errorText.split(separator: "\n").count <= 1)
    #expect(!shows(outcome))
  }

  /// What the test above would see without the protection; where Swift's crash handler is missing, that
  /// test cannot fail.
  @Test(
    "P-4: Swift's crash handler prints what registers point to in a program that is not hardened",
    .enabled(if: CrashTests.hasCrashHandler, "swift-backtrace is missing")
  )
  func bareTrap() throws {
    let outcome = try crash("trap", "bare")
    #expect(outcome.errorText.split(separator: "\n").count > 10)
    #expect(shows(outcome), "\(outcome.errorText)")
  }

  private func crash(_ way: String, _ protection: String) throws -> ChildProcess.Outcome {
    var request = vault.worker("crash", way, protection, "held")
    request.environment["SWIFT_BACKTRACE"] = "enable=yes,color=no,output-to=stderr"
    let script = "cd \"$HOME\"; ulimit -c unlimited 2>/dev/null; exec \"$@\""
    return try request.started(by: "/bin/sh", ["-c", script, "sh"]).run()
  }

  /// The first bytes of the secret as text or as the crash handler writes them.
  private func shows(_ outcome: ChildProcess.Outcome) -> Bool {
    let start = secret.utf8.prefix(8)
    let digits = start.map { String(format: "%02x", $0) }.joined(separator: " ")
    return [String(decoding: start, as: UTF8.self), digits].contains {
      outcome.errorText.contains($0)
    }
  }

  private func coreFile() throws -> Data? {
    let name = try FileManager.default.contentsOfDirectory(atPath: vault.folder.path)
      .first { $0.hasPrefix("core") }
    return try name.map { try Data(contentsOf: URL(fileURLWithPath: vault.folder.path($0))) }
  }

  /// Whether a core may be written, and goes into the working folder.
  private static let writesCoreFiles: Bool = {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    guard limit.rlim_max == rlim_t.max else { return false }
    let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
    return pattern?.hasPrefix("core") == true
  }()

  /// Whether Swift's crash handler stands where the runtime library looks for it.
  private static let hasCrashHandler: Bool = {
    let maps = FileHandle(forReadingAtPath: "/proc/self/maps")
    let lines = String(decoding: (try? maps?.readToEnd()) ?? Data(), as: UTF8.self)
    guard
      let line = lines.split(separator: "\n").first(where: { $0.hasSuffix("/libswiftCore.so") }),
      let path = line.split(separator: " ").last
    else { return false }
    return FileManager.default.isExecutableFile(
      atPath: path.dropLast("libswiftCore.so".count)
        + "../../../libexec/swift/linux/swift-backtrace"
    )
  }()
}
