import Foundation
import TestSupport
import Testing

/// Whether an ordinary user can be played, who needs leave to lock memory and may start the tool.
private let canBePlayed =
  geteuid() == 0
  && (try? ChildProcess(.ofOrdinaryUser(["/usr/bin/test", "-x", Tool.executable]))
    .finish().exitCode) == 0

extension ChildProcess.Request {
  fileprivate static let user: uid_t = 65_534

  fileprivate static func ofOrdinaryUser(
    _ words: [String],
    environment: [String: String] = [:]
  ) -> ChildProcess.Request {
    let options = ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all"]
    return ChildProcess.Request(
      executable: "/usr/bin/setpriv",
      arguments: (options + words).map { Array($0.utf8) },
      environment: environment
    )
  }
}

/// A process of an ordinary user that may lock little memory, or none; to be one takes root.
@Suite(
  "memory that cannot be locked",
  .enabled(if: canBePlayed, "needs root and setpriv")
)
struct LockedMemoryTests {
  /// Runs a script of commands, in which `$sv` is the tool.
  private static func run(_ script: String, _ tool: Tool) throws -> ChildProcess.Outcome {
    let user = ChildProcess.Request.user
    for path in [tool.home.path, tool.runtime.path] { _ = unsafe chown(path, user, user) }
    let words = [
      "/bin/sh", "-ec", "sv=\"$0\"; cd; umask 077; " + script, Tool.executable,
    ]
    let request = ChildProcess.Request.ofOrdinaryUser(words, environment: tool.environment)
    return try ChildProcess(request).finish()
  }

  @Test("with --allow-unlocked-memory the agent, and the commands that ask it, go on without")
  func agent() throws {
    let outcome = try Self.run(
      """
      ulimit -l 0; allow=--allow-unlocked-memory
      $sv init --generate-key-file key $allow
      printf secret | $sv set a --key-file key $allow
      $sv unlock --key-file key $allow >status
      $sv get a $allow
      """,
      try Tool()
    )
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.text == "secret")
  }

  @Test("an agent that has too little of it for a credential says so", arguments: [0, 64])
  func tooLittle(kibibytes: Int) throws {
    let outcome = try Self.run(
      """
      $sv init --generate-key-file key
      (ulimit -l \(kibibytes); $sv agent)
      $sv unlock --key-file key
      """,
      try Tool()
    )
    #expect(outcome.exitCode == 17, "\(outcome.errorText)")
  }
}
