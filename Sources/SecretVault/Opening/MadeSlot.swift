import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A slot that was made, with the key that proves that it opens.
struct MadeSlot {
  let row: SlotRow
  let record: SlotRecord
  let key: SlotKey
}

/// A slot's key in a place that several can hold; it is wiped when the last of them lets go.
final class SlotKey: Sendable {
  let key: Key<Role.Slot>

  init(_ key: consuming Key<Role.Slot>) {
    self.key = key
  }

  /// Opens a slot.
  ///
  /// - Throws: `CryptoError` with `commitmentMismatch` where it is another's, and what else can be wrong with its box.
  func open(
    _ slot: SlotRecord,
    of contents: VaultContents,
    using cipher: GCM
  ) throws -> SecretKey {
    var secret = try SecretKey()
    let context = SlotKeys.context(
      slot.header,
      vaultID: contents.head.vaultID,
      epoch: contents.epoch(ofKeyIn: slot)
    )
    let count = try key.sealingContext().opening(
      slot.box.span,
      salt: slot.salt.bytes.span,
      context: context.span,
      using: cipher,
      into: &secret
    )
    guard count == SecretKey.byteCount else { throw VaultError(.tampered) }
    return secret
  }
}

extension MadeSlot {
  /// Opens the slot as it was written, with the key it was made with, and returns what it gives.
  ///
  /// - Throws: ``VaultError``: `inputOutput` where the slot is not there, `tampered` where it does not open.
  func readBack(
    from contents: VaultContents,
    using cipher: GCM
  ) throws(VaultError) -> SecretKey {
    guard let slot = contents.slots.first(where: { $0.id == record.id })
    else { throw VaultError(.inputOutput) }
    do {
      return try key.open(slot, of: contents, using: cipher)
    } catch {
      throw VaultError(translating: error)
    }
  }
}
