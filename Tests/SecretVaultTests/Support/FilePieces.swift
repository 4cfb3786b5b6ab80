import Foundation
import TestSupport

extension TemporaryVault {
  /// How many of the pieces are in a file of the vault.
  ///
  /// Another process reads the files: closing one of SQLite's in this process would drop its locks.
  func count(of pieces: [Data]) throws -> Int {
    var contents = Data()
    for suffix in ["", "-wal"] {
      let request = ChildProcess.Request(
        executable: "/bin/cat",
        arguments: [Array((path + suffix).utf8)],
        environment: [:]
      )
      contents += try ChildProcess(request).finish().output
    }
    return pieces.count { contents.range(of: $0) != nil }
  }
}
