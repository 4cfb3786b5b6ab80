import Foundation
package import SecretVault
import Synchronization

/// A vault as the calls see it: with the access groups that this program may use.
package final class Keychain: Sendable {
  let store: SecretStore
  /// The access groups, the default one first.
  package let groups: [String]
  /// Finds items by a part of their name; a lock empties it.
  package let index: ItemIndex
  private let unlocking = Mutex(())

  /// Takes a vault and the list of groups; repeated names count once.
  package init(_ store: SecretStore, accessGroups: [String]) {
    self.store = store
    index = ItemIndex(for: store)
    // Nothing here holds tokens, so nobody can be entitled to their group.
    groups = accessGroups.reduce(into: []) { groups, name in
      if !groups.containsBytes(of: name), name != String(kSecAttrAccessGroupToken) {
        groups.append(name)
      }
    }
  }

  /// The groups that a call is about: the one that it names, or all.
  ///
  /// - Throws: `errSecMissingEntitlement` for a group that is not in the list, and where there is none.
  func groups(named name: String?) throws(KeychainError) -> [String] {
    guard let name else {
      if groups.isEmpty { throw .missingEntitlement }
      return groups
    }
    guard groups.containsBytes(of: name) else { throw .missingEntitlement }
    return [name]
  }

  /// Asks the vault, and once more if its keys were changed and its own credential gives the new ones.
  func perform<Result>(
    _ body: () throws(VaultError) -> Result
  ) throws(KeychainError) -> Result {
    do throws(VaultError) {
      do throws(VaultError) {
        return try body()
      } catch {
        let isClosed = error.code == .locked && store.lockState == .beforeFirstUnlock
        guard isClosed || error.code == .keysRotated, try unlock() else { throw error }
        return try body()
      }
    } catch {
      throw KeychainError(error)
    }
  }

  /// Unlocks with the credential that the vault was set up with; `false` where there is none that opens it.
  private func unlock() throws(VaultError) -> Bool {
    try unlocking.withLock { _ throws(VaultError) in
      if store.lockState != .beforeFirstUnlock { return true }
      return try store.unlockWithProvider()
    }
  }
}
