import SecretVault

/// The secrets that references name; each is read once.
struct ReferenceResolver {
  private let store: any ItemStore
  private var known: [SecretReference: SecretBytes] = [:]

  init(_ store: any ItemStore) { self.store = store }

  /// Reads the secret of a reference; a failure begins with the place where it was given.
  ///
  /// - Throws: A failure: there is no such item, it has no secret, or it cannot be read now.
  mutating func secret(
    for reference: SecretReference,
    at place: String
  ) throws(Failure) -> SecretBytes {
    if let secret = known[reference] { return secret }
    do {
      guard let secret = try store.secret(for: reference.identity) else {
        throw Failure.itemNotFound
      }
      known[reference] = secret
      return secret
    } catch {
      throw Failure(error).prefixed(with: place)
    }
  }
}
