import Foundation
import SecretVault

/// The values of a client's dictionary: a secret, and a persistent reference.
struct QueryValues {
  private(set) var data: Data?
  private(set) var persistentReference: Data?

  /// - Throws: `errSecParam` for a value of another type than `Data`, for a reference to an object, which
  ///   passwords do not have, and for an unknown key.
  init(_ values: [KeychainEntries.Entry]) throws(KeychainError) {
    for (key, value) in values {
      guard let bytes = value as? Data else { throw .parameter }
      switch key {
      case Key.valueData: data = bytes
      case Key.valuePersistentRef: persistentReference = bytes
      default: throw .parameter
      }
    }
  }

  /// The secret, copied straight into locked memory.
  ///
  /// - Throws: `errSecDataTooLarge` for more than a vault holds, `errSecAllocate` where there is no locked memory left.
  func secret() throws(KeychainError) -> SecretBytes? {
    guard data?.count ?? 0 <= SecretStore.largestSecretByteCount else {
      throw KeychainError(errSecDataTooLarge)
    }
    do {
      return try data.map { try SecretBytes(copying: $0) }
    } catch {
      throw KeychainError(errSecAllocate)
    }
  }
}
