import SecretVault
import VaultAgent

extension Failure {
  /// Turns whatever a command threw into what the user is told.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as VaultError: self.init(error)
    case let error as SecretMemoryError:
      self.init(.limitExceeded, name: "lockedMemoryExhausted", "\(error)")
    default: self.init(.other, name: "other", "something unforeseen failed; try again")
    }
  }

  /// Gives an error of the library its exit code.
  init(_ error: VaultError) {
    let remedy =
      error.code == .ambiguousGroup
      ? "several access groups are open; say which with --group NAME" : error.message
    self.init(Self.exitCode(of: error.code), name: error.code.name, remedy)
  }

  private static func exitCode(of code: VaultError.Code) -> ExitCode {
    exitCodes[code] ?? .other
  }

  private static let exitCodes: [VaultError.Code: ExitCode] = [
    .invalidArgument: .usage,
    .itemNotFound: .itemNotFound,
    .ambiguousGroup: .ambiguous,
    .duplicateItem: .alreadyExists, .vaultExists: .alreadyExists,
    .agentExists: .alreadyExists,
    .locked: .locked,
    .credentialRejected: .credentialRejected,
    .vaultMissing: .vaultMissing,
    .notAVault: .damaged, .corruptHeader: .damaged, .tampered: .damaged,
    .rolledBack: .rolledBack, .forked: .rolledBack, .vaultReplaced: .rolledBack,
    .busy: .busy,
    .insecureFile: .insecure, .notPermitted: .insecure, .readOnly: .insecure,
    .full: .noSpace,
    .notOnThisDevice: .notAllowed, .accessibilityRefused: .notAllowed,
    .needsRevalidation: .notAllowed,
    .unsupportedVersion: .tooNew,
    .limitExceeded: .limitExceeded, .kdfRefused: .limitExceeded,
    .lockedMemoryExhausted: .limitExceeded,
    .expired: .expired,
    .conflict: .conflict, .keysRotated: .conflict,
    .inputOutput: .other, .cryptographyUnavailable: .other,
  ]
}
