package import SecretMemory

/// A key of 32 bytes with one role in the key tree, so that no key serves where another belongs.
///
/// Keys are move-only: consuming one, or ending its owner, wipes its only copy.
package struct Key<Purpose: KeyRole>: ~Copyable, Sendable {
  private let secret: SecretKey

  /// Gives bytes a role.
  package init(_ secret: consuming SecretKey) {
    self.secret = secret
  }

  /// Makes a key from random bytes.
  package static func random(from source: RandomSource) throws(CryptoError) -> Key {
    var secret = try withCryptoErrors { () throws(SecretMemoryError) in try SecretKey() }
    try secret.withMutableBytes { bytes throws(CryptoError) in try source.fill(&bytes) }
    return Key(secret)
  }

  /// Makes a key by copying 32 bytes.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for another length, or `memory`.
  package init(copying bytes: Span<UInt8>) throws(CryptoError) {
    guard bytes.count == SecretKey.byteCount else { throw .invalidLength }
    var secret = try withCryptoErrors { () throws(SecretMemoryError) in try SecretKey() }
    secret.withMutableBytes { target in
      for index in bytes.indices { target[index] = bytes[index] }
    }
    self.init(secret)
  }

  /// Makes a second owner's copy, for a key that has to be used and kept.
  package borrowing func duplicate() throws(CryptoError) -> Key {
    try withBytes { bytes throws(CryptoError) in try Key(copying: bytes) }
  }

  /// Lends the bytes for the length of a call.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try secret.withBytes(body)
  }
}

/// What a key is for.
package protocol KeyRole {}

/// A role whose keys only derive and authenticate: they feed ``Expander``.
package protocol ExpandingRole: KeyRole {}

/// A role whose keys only seal and open boxes.
package protocol SealingRole: KeyRole {}

/// The roles of the key tree.
package enum Role {
  /// What scrypt made of a passphrase.
  package enum Passphrase: KeyRole {}
  /// What a key file or a recovery code holds.
  package enum File: KeyRole {}
  /// This user's key on this machine.
  package enum Device: ExpandingRole {}
  /// Opens one slot box.
  package enum Slot: SealingRole {}
  /// The vault's root key.
  package enum Root: ExpandingRole {}
  /// Wraps group keys.
  package enum Wrap: SealingRole {}
  /// Authenticates the head.
  package enum Admin: ExpandingRole {}
  /// Seals slot labels.
  package enum SlotLabel: SealingRole {}
  /// The key of one access group.
  package enum Group: ExpandingRole {}
  /// Computes lookups.
  package enum Index: ExpandingRole {}
  /// Authenticates pages, branches and the manifest.
  package enum Manifest: ExpandingRole {}
  /// Seals the group's name.
  package enum GroupName: SealingRole {}
  /// What the leaves of one class are derived from.
  package enum ClassBase: ExpandingRole {}
  /// Seals attributes, or secrets, of one class.
  package enum Leaf: SealingRole {}
}

extension Key where Purpose: SealingRole {
  /// Keys a context that seals and opens boxes; it is as good as the key.
  package borrowing func sealingContext() throws(CryptoError) -> HMAC {
    try withBytes { bytes throws(CryptoError) in try HMAC(key: bytes) }
  }
}

extension Key where Purpose: ExpandingRole {
  /// Keys a context that derives and authenticates; it is as good as the key.
  package borrowing func expander() throws(CryptoError) -> Expander {
    try withBytes { bytes throws(CryptoError) in try Expander(key: bytes) }
  }
}
