import Glibc

/// Empties the write-ahead log after a change that took sealed bytes out of the vault; they are in the log still.
enum LogEmptying {
  /// Tries for a second, since readers hinder it; the change is made in any case, so nothing here is a failure.
  static func run(_ console: Console, _ change: String, _ emptyLog: () throws -> Bool) {
    let deadline = ContinuousClock.now + .seconds(1)
    while (try? emptyLog()) != true {
      guard ContinuousClock.now < deadline else {
        return console.note(
          "\(change); former sealed bytes stay in the log until the vault's readers are done"
        )
      }
      _ = poll(nil, 0, 50)
    }
  }
}
