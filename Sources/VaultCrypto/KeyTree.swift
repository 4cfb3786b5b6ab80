import SecretMemory

extension Key where Purpose == Role.Root {
  /// The key that wraps group keys.
  package borrowing func wrapKey() throws(CryptoError) -> Key<Role.Wrap> {
    try expander().key(.wrap)
  }

  /// The key that authenticates head, slots and group records.
  package borrowing func adminKey() throws(CryptoError) -> Key<Role.Admin> {
    try expander().key(.admin)
  }

  /// The key that seals slot labels.
  package borrowing func slotLabelKey() throws(CryptoError) -> Key<Role.SlotLabel> {
    try expander().key(.labelOfSlot)
  }
}

extension Key where Purpose == Role.Group {
  /// The key that computes lookups.
  package borrowing func indexKey() throws(CryptoError) -> Key<Role.Index> {
    try expander().key(.index)
  }

  /// The key that authenticates pages, branches and the manifest.
  package borrowing func manifestKey() throws(CryptoError) -> Key<Role.Manifest> {
    try expander().key(.manifest)
  }

  /// The key that seals the group's name.
  package borrowing func nameKey() throws(CryptoError) -> Key<Role.GroupName> {
    try expander().key(.name)
  }

  /// The base of the portable classes' leaves: the group key itself.
  package borrowing func portableBase() throws(CryptoError) -> Key<Role.ClassBase> {
    try withBytes { bytes throws(CryptoError) in try Key<Role.ClassBase>(copying: bytes) }
  }

  /// The base of the device-bound classes' leaves: group key and device key joined.
  package borrowing func deviceBase(
    _ device: borrowing Key<Role.Device>,
    vaultID: Span<UInt8>,
    groupID: Span<UInt8>
  ) throws(CryptoError) -> Key<Role.ClassBase> {
    try join(.device, salt: vaultID, context: groupID) { hmac throws(CryptoError) in
      try self.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
      try device.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
    }
  }
}

extension Key where Purpose == Role.ClassBase {
  /// The key that seals the attributes of one class.
  package borrowing func attributesLeaf(
    classByte: UInt8
  ) throws(CryptoError) -> Key<Role.Leaf> {
    try leaf(classByte, part: UInt8(ascii: "A"))
  }

  /// The key that seals the secrets of one class.
  package borrowing func secretLeaf(
    classByte: UInt8
  ) throws(CryptoError) -> Key<Role.Leaf> {
    try leaf(classByte, part: UInt8(ascii: "S"))
  }

  private borrowing func leaf(
    _ classByte: UInt8,
    part: UInt8
  ) throws(CryptoError) -> Key<Role.Leaf> {
    try expander().key(.leaf) { hmac throws(CryptoError) in
      try hmac.update(classByte)
      try hmac.update(part)
    }
  }
}

extension Key where Purpose == Role.Device {
  /// The public name of this device in one vault.
  package borrowing func deviceID(
    vaultID: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<16, UInt8> {
    let long = try expander().expand(.deviceID) { hmac throws(CryptoError) in
      try hmac.update(vaultID)
    }
    return InlineArray { long[$0] }
  }
}

extension Key where Purpose == Role.Slot {
  /// Joins the factors of a slot into its key.
  ///
  /// - Throws: ``CryptoError/invalidLength`` without any factor, since everybody could compute that key.
  package static func joining(
    passphrase: borrowing Key<Role.Passphrase>?,
    file: borrowing Key<Role.File>?,
    device: borrowing Key<Role.Device>?,
    salt: Span<UInt8>
  ) throws(CryptoError) -> Key {
    guard passphrase != nil || file != nil || device != nil else { throw .invalidLength }
    return try join(.slot, salt: salt, context: Span()) { hmac throws(CryptoError) in
      switch passphrase {
      case .some(let factor):
        try factor.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
      case .none: break
      }
      switch file {
      case .some(let factor):
        try factor.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
      case .none: break
      }
      switch device {
      case .some(let factor):
        try factor.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
      case .none: break
      }
    }
  }
}

extension Key where Purpose == Role.File {
  /// Makes the factor of a recovery code from its 20 random bytes.
  ///
  /// They have 160 bits of entropy, so no slow derivation is applied.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for another length.
  package static func recovery(_ random: Span<UInt8>) throws(CryptoError) -> Key {
    guard random.count == 20 else { throw .invalidLength }
    return try join(.recovery, salt: Span(), context: Span()) { hmac throws(CryptoError) in
      try hmac.update(random)
    }
  }
}

/// Full HKDF-SHA-512 over parts of fixed length (RFC 5869): extract with the salt, expand with the label.
private func join<Purpose: KeyRole>(
  _ label: Label,
  salt: Span<UInt8>,
  context: Span<UInt8>,
  feedingParts: (HMAC) throws(CryptoError) -> Void
) throws(CryptoError) -> Key<Purpose> {
  var block = InlineArray<64, UInt8>(repeating: 0)
  var bytes = block.mutableSpan
  defer { ConstantTime.wipe(&bytes) }
  try HKDF.extract(salt: salt, into: &bytes, feed: feedingParts)
  let expander = try Expander(key: bytes.span)
  return try expander.key(label) { hmac throws(CryptoError) in try hmac.update(context) }
}
