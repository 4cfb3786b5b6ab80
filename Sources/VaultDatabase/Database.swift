/// How a connection may touch the file.
package enum DatabaseAccess: Sendable {
  /// Reads and writes.
  case readWrite
  /// Reads, and follows the commits of others.
  case readOnly
  /// Reads a file that nobody can change meanwhile, such as one on read-only media.
  ///
  /// The write-ahead log is not looked at, so a caller makes sure that there is none or that it is empty.
  case immutable
}

/// How much a checkpoint does.
package enum CheckpointMode: Sendable {
  /// Writes back what no reader still needs from the log, and leaves the log's length.
  case passive
  /// Writes back everything and empties the log, unless a reader or writer prevents it.
  case truncate
}

/// A vault file that can be connected to.
package protocol Database: Sendable {
  /// Writes the empty tables into an existing, empty file and closes it.
  ///
  /// The caller makes the file, so that its owner and mode are the caller's choice. No other file is left beside it.
  func create() throws(DatabaseError)

  /// Opens the file, which must hold exactly the tables of a vault.
  ///
  /// The connection is given away: it belongs to no thread until its new owner uses it.
  func connect(_ access: DatabaseAccess) throws(DatabaseError) -> sending any DatabaseConnection
}
