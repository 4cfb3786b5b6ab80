import Foundation
public import SecretVault
import Synchronization

/// The keychain that the calls of this process use.
///
/// Without a word it is found by environment variables when the first call needs it. A program that opens its
/// vault itself says so once, at its start:
///
/// ```swift
/// try SharedKeychain.use(store, accessGroups: ["com.example.app"])
/// ```
public enum SharedKeychain {
  /// What the environment gave.
  private enum Found {
    /// Nothing so far; what can be mended while the program runs is tried again by the next call.
    case nothing(isTold: Bool)
    case keychain(Keychain)
    /// A credential that opens nothing, which is not stretched for each call.
    case rejected
  }

  private static let found = Mutex(Found.nothing(isTold: false))

  /// The keychain of a test, in place of that of the process.
  @TaskLocal package static var override: Keychain?

  /// Lets the calls of this process use an open vault, from now on and in place of any other.
  ///
  /// `accessGroups` are the groups that the calls may use, the default one first. With a `credential` of the
  /// whole vault, groups that do not exist are made; a call about one that the vault did not open answers
  /// `errSecMissingEntitlement`.
  ///
  /// - Throws: `VaultError` where groups are to be made and cannot be.
  public static func use(
    _ store: SecretStore,
    accessGroups: [String],
    makingGroupsWith credential: Credential? = nil
  ) throws(VaultError) {
    let keychain = Keychain(store, accessGroups: accessGroups)
    if let credential { try store.makeGroups(keychain.groups, with: credential) }
    found.withLock { $0 = .keychain(keychain) }
  }

  /// The keychain to use.
  ///
  /// - Throws: `errSecInteractionNotAllowed` where nothing opens one, as a keychain answers that is locked.
  static func current() throws(KeychainError) -> Keychain {
    if let override { return override }
    let keychain: Keychain? = found.withLock { found in
      if case .nothing(let isTold) = found { found = open(isTold: isTold) }
      return if case .keychain(let keychain) = found { keychain } else { nil }
    }
    guard let keychain else { throw .locked }
    return keychain
  }

  /// Throws `errSecMissingEntitlement` where a query names a foreign access group, whatever else is wrong with it.
  static func requireEntitlement(named query: CFDictionary) throws(KeychainError) {
    guard let name = query[kSecAttrAccessGroup] as? String else { return }
    guard let keychain = try? current() else { return }
    _ = try keychain.groups(named: name)
  }

  private static func open(isTold: Bool) -> Found {
    do throws(VaultError) {
      return .keychain(try KeychainEnvironment(ProcessInfo.processInfo.environment).open())
    } catch {
      if !isTold { tell(error) }
      return error.code == .credentialRejected ? .rejected : .nothing(isTold: true)
    }
  }

  private static func tell(_ error: VaultError) {
    let hint = "Security: the keychain stays locked, for no vault was opened: \(error.message)\n"
    // A program may have closed its standard error; the hint is lost then.
    try? FileHandle.standardError.write(contentsOf: Data(hint.utf8))
  }
}
