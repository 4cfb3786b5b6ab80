import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultError {
  /// Says what an error of a lower floor means for a vault that has been opened.
  ///
  /// After a credential was accepted, every failed check is the same ``Code/tampered``: commitment, tag,
  /// padding and structure are not told apart.
  package init(translating error: any Error) {
    switch error {
    case let error as VaultError: self = error
    case let error as FormatError: self.init(Self.code(of: error))
    case let error as CryptoError: self.init(Self.code(of: error))
    case let error as SecretMemoryError:
      self.init(error.code == .outOfMemory ? .limitExceeded : .lockedMemoryExhausted)
    case let error as DatabaseError where error.code == .noSharedMemory:
      self.init(
        .inputOutput,
        "the file system cannot share memory, as network file systems; move the vault to a local disk",
        cause: error
      )
    case let error as DatabaseError: self.init(Self.code(of: error), cause: error)
    default: self.init(.inputOutput)
    }
  }

  private static func code(of error: FormatError) -> Code {
    switch error {
    case .notAVault: .notAVault
    case .unsupportedVersion, .unsupportedAttribute: .unsupportedVersion
    case .costRefused: .kdfRefused
    case .limitExceeded: .limitExceeded
    case .malformed, .checkFailed: .tampered
    }
  }

  private static func code(of error: CryptoError) -> Code {
    switch error {
    case .commitmentMismatch, .authenticationFailed, .invalidLength: .tampered
    case .unavailable: .cryptographyUnavailable
    case .memory: .lockedMemoryExhausted
    }
  }

  private static func code(of error: DatabaseError) -> Code {
    switch error.code {
    case .busy: .busy
    case .full: .full
    case .readOnly: .readOnly
    case .notADatabase, .schemaMismatch: .notAVault
    // What is handed to the database is measured before, so only the file can hold what is too big.
    case .corrupt, .malformedRow, .missingRow, .tooBig: .tampered
    case .outOfMemory: .limitExceeded
    case .cannotOpen, .noSharedMemory, .io, .misuse, .other: .inputOutput
    }
  }
}

/// Runs `body` and says what an error of a lower floor means for a vault.
package func translatingErrors<Result: ~Copyable>(
  _ body: () throws(any Error) -> Result
) throws(VaultError) -> Result {
  do { return try body() } catch { throw VaultError(translating: error) }
}

/// Reads from the file: `nil` where it is damaged; a disk that fails to read, or memory that is short, is no damage, and is
/// thrown.
func nilIfDamaged<Result>(
  _ body: () throws(DatabaseError) -> Result
) throws(VaultError) -> Result? {
  do throws(DatabaseError) {
    return try body()
  } catch  where [.io, .outOfMemory, .busy, .full].contains(error.code) {
    throw VaultError(translating: error)
  } catch {
    return nil
  }
}
