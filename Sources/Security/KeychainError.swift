import SecretVault

/// Why a call fails: the status that it returns.
struct KeychainError: Error {
  let status: OSStatus

  init(_ status: OSStatus) {
    self.status = status
  }

  /// The dictionary is not one that the call takes.
  static let parameter = KeychainError(errSecParam)

  /// An access group is not in the client's list.
  static let missingEntitlement = KeychainError(errSecMissingEntitlement)

  /// The vault cannot be used now.
  static let locked = KeychainError(errSecInteractionNotAllowed)
}

extension KeychainError {
  /// Says in the keychain's words what went wrong in the vault.
  init(_ error: VaultError) {
    self.init(Self.statuses[error.code] ?? errSecNotAvailable)
  }

  /// What is not listed means that the keychain as a whole cannot be used.
  private static let statuses: [VaultError.Code: OSStatus] = [
    .locked: errSecInteractionNotAllowed,
    .keysRotated: errSecInteractionNotAllowed,
    .itemNotFound: errSecItemNotFound,
    .duplicateItem: errSecDuplicateItem,
    .notPermitted: errSecMissingEntitlement,
    .ambiguousGroup: errSecMissingEntitlement,
    .accessibilityRefused: errSecAuthFailed,
    .invalidArgument: errSecParam,
    .limitExceeded: errSecDataTooLarge,
    .lockedMemoryExhausted: errSecAllocate,
    .readOnly: errSecReadOnly,
    .inputOutput: errSecIO,
    .tampered: errSecDecode,
    .unsupportedVersion: errSecDecode,
    .expired: errSecDataNotAvailable,
    .needsRevalidation: errSecDataNotAvailable,
  ]
}
