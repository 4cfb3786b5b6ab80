/// A failure of the database, without any value or name from the file.
///
/// Two errors are equal when their codes are equal; `extendedCode` is for diagnosis only.
package struct DatabaseError: Error, Sendable {
  /// What went wrong, in the terms a caller acts on.
  package enum Code: Sendable, CaseIterable {
    /// Another connection held a lock for longer than the busy timeout.
    case busy
    /// The disk, the quota or the page limit is exhausted; the transaction is undone.
    case full
    /// The file, its folder or the connection does not permit writing.
    case readOnly
    /// The file is not a database of this engine.
    case notADatabase
    /// The structure of the file is damaged.
    case corrupt
    /// The file could not be opened: absent, a symbolic link, or not permitted.
    case cannotOpen
    /// The file system does not let processes share memory through a file.
    case noSharedMemory
    /// The file is a sound database whose tables or settings are not those of a vault.
    case schemaMismatch
    /// A column has the wrong storage class, length or range.
    case malformedRow
    /// A row that must exist does not.
    case missingRow
    /// A value is longer than the connection permits.
    case tooBig
    /// Memory could not be allocated.
    case outOfMemory
    /// Reading, writing or synchronising failed.
    case io
    /// The caller broke the contract of the connection; nothing was done.
    case misuse
    /// Anything else; see `extendedCode`.
    case other
  }

  /// What went wrong.
  package let code: Code

  /// The engine's own number for the failure (sqlite.org/rescode.html), or 0 where the engine reported none.
  package let extendedCode: Int32

  /// Makes an error that has a number if the engine reported one.
  package init(_ code: Code, extendedCode: Int32 = 0) {
    self.code = code
    self.extendedCode = extendedCode
  }
}

extension DatabaseError: Equatable {
  /// Compares the codes only.
  package static func == (left: Self, right: Self) -> Bool {
    left.code == right.code
  }
}

extension DatabaseError: CustomStringConvertible {
  /// The code and the number.
  package var description: String {
    "database error: \(code) (\(extendedCode))"
  }
}
