public import SecretMemory
import VaultFormat

extension VaultAdministration {
  /// Gives the slot that was opened another passphrase; where it also needs a key file, it still does.
  ///
  /// The slot gets a new salt and the local cost. It is no revocation: whoever kept the old slot and knows the
  /// old passphrase can still open this vault; rotate the keys for that.
  ///
  /// - Returns: The id of the slot that takes the place of the old one.
  /// - Throws: ``VaultError``: `invalidArgument` where the slot has no passphrase.
  @discardableResult
  public func changePassphrase(to passphrase: SecretBytes) throws(VaultError) -> String {
    try changePassphrase(to: passphrase, log2N: nil)
  }

  package func changePassphrase(
    to passphrase: SecretBytes,
    log2N: UInt8?
  ) throws(VaultError) -> String {
    guard openedSlot.factors.contains(.passphrase) else {
      throw VaultError(.invalidArgument, "this slot has no passphrase; add a slot instead")
    }
    let label = try slots().first { $0.id == openedSlot.id.hex }?.label ?? ""
    let file = try withRights { rights throws(VaultError) in rights.credential.file }
    var changed = Credential(passphrase: passphrase, file: file)
    changed.needsDevice = openedSlot.factors.contains(.device)
    var new = SecretStore.NewSlot(changed, label: label)
    new.log2N = log2N
    let id = try replaceSlots(adding: new, removing: openedSlot.id.hex).id
    replaceCredential(with: changed)
    return id
  }
}
