import Foundation
import TestSupport

/// Programs that a stranger would write, run by the system's interpreter.
enum Python {
  private static let path = "/usr/bin/python3"

  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  /// Describes a run of a script with words.
  static func script(
    _ script: String,
    _ words: [String] = [],
    variables: [String: String] = [:]
  ) -> ChildProcess.Request {
    ChildProcess.Request(
      executable: path,
      arguments: (["-c", script] + words).map { Array($0.utf8) },
      environment: variables
    )
  }
}

/// A user who is nobody's friend; to become one takes root.
enum OtherUser {
  static let number: uid_t = 65_534

  static let canBePlayed = geteuid() == 0 && Python.isInstalled

  static let absence = "needs root and python3"
}
