/// Why bytes are not what the vault format asks for, or why the format cannot hold what was given.
///
/// No case carries a value: an error may reach a log, and what was read may be private. A limit
/// that is broken by bytes that were read is ``malformed``; a limit that is broken by values to be
/// written is ``limitExceeded``.
@usableFromInline
package enum FormatError: Error, Equatable, Sendable {
  /// The head record does not start with the magic of a vault.
  case notAVault

  /// The record is of a format, suite or record version that this reader does not know.
  case unsupportedVersion

  /// The bytes break a rule of their layout.
  case malformed

  /// The passphrase cost lies outside of what a reader accepts.
  case costRefused

  /// A value to be written is larger, or a list longer, than the format allows.
  case limitExceeded

  /// The attribute list is well formed and holds a tag that a reader must understand to go on.
  case unsupportedAttribute

  /// A checksum that the bytes carry does not fit them; thrown by the callers that compute it.
  case checkFailed
}
