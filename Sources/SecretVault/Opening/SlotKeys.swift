import SecretMemory
import VaultCrypto
import VaultFormat

/// Opens slots with one credential, stretching the passphrase at most once for each slot.
final class SlotKeys {
  private let credential: Credential
  private let state: StateFolder?
  private let cipher: GCM
  private let random: RandomSource
  /// Slot keys by the bytes of the record they belong to; kept while the vault changes under an opening.
  private var known: [[UInt8]: SlotKey] = [:]

  init(
    _ credential: Credential,
    state: StateFolder?,
    random: RandomSource,
    made: MadeSlot? = nil
  ) throws(VaultError) {
    if let made { known[made.record.header] = made.key }
    self.credential = credential
    self.state = state
    self.random = random
    do { cipher = try GCM() } catch { throw VaultError(translating: error) }
  }

  /// The slots that take just the factors of the credential, in ascending order of id.
  ///
  /// This device's key is added where a slot needs it.
  func candidates(among slots: [SlotRecord], only id: String?) -> [SlotRecord] {
    slots.filter { slot in
      slot.factors.subtracting(.device) == credential.factors.subtracting(.device)
        && (id == nil || slot.id.hex == id)
    }
    .sorted { $0.id < $1.id }
  }

  /// Tries to open a slot.
  ///
  /// - Returns: The key in it, or `nil` where the credential is another one.
  /// - Throws: ``VaultError``: `tampered` where the commitment matches and the ciphertext does not.
  func open<Purpose: KeyRole>(
    _ slot: SlotRecord,
    of contents: VaultContents,
    as purpose: Purpose.Type
  ) throws(VaultError) -> Key<Purpose>? {
    guard let slotKey = try slotKey(for: slot) else { return nil }
    do {
      return Key(try slotKey.open(slot, of: contents, using: cipher))
    } catch CryptoError.commitmentMismatch {
      return nil
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// What a slot's box is bound to: everything in front of it, and the epoch of the key in it.
  ///
  /// Whoever was dropped by a rotation can sign any epoch with the former key; but the slots of the others, which they
  /// can put back and not make, open for that key's own epoch alone. The first epoch adds nothing.
  static func context(_ header: [UInt8], vaultID: Identifier, epoch: UInt64) -> [UInt8] {
    var context = Label.slot.tag
    vaultID.append(to: &context)
    context += header
    if epoch > 1 { context.append(bigEndian: epoch) }
    return context
  }

  private func slotKey(for slot: SlotRecord) throws(VaultError) -> SlotKey? {
    if let known = known[slot.header] { return known }
    let file = try credential.fileKey()
    let device: Key<Role.Device>?
    if slot.factors.contains(.device) {
      device = try DeviceKey.load(from: state, random: random)
      if device == nil { return nil }
    } else {
      device = nil
    }
    do {
      let passphrase = try stretched(slot)
      let key = try Self.join(slot, passphrase: passphrase, file: file, device: device)
      let slotKey = SlotKey(key)
      known[slot.header] = slotKey
      return slotKey
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func stretched(_ slot: SlotRecord) throws -> Key<Role.Passphrase>? {
    guard slot.factors.contains(.passphrase), let passphrase = credential.passphrase
    else { return nil }
    return try passphrase.withBytes { bytes throws(CryptoError) in
      try Stretch.passphrase(bytes, salt: slot.salt.bytes.span, log2N: slot.logN)
    }
  }

  private static func join(
    _ slot: SlotRecord,
    passphrase: consuming Key<Role.Passphrase>?,
    file: consuming Key<Role.File>?,
    device: consuming Key<Role.Device>?
  ) throws(CryptoError) -> Key<Role.Slot> {
    if !slot.factors.contains(.keyFile) { file = nil }
    return try Key<Role.Slot>.joining(
      passphrase: passphrase,
      file: file,
      device: device,
      salt: slot.salt.bytes.span
    )
  }
}

extension HMAC {
  /// Opens a box that holds a key.
  func opening(
    _ box: Span<UInt8>,
    salt: Span<UInt8>,
    context: Span<UInt8>,
    using cipher: GCM,
    into secret: inout SecretKey
  ) throws(CryptoError) -> Int {
    try secret.withMutableBytes { output throws(CryptoError) in
      try SealedBox.open(
        box,
        with: self,
        salt: salt,
        context: context,
        using: cipher,
        into: &output
      )
    }
  }
}
