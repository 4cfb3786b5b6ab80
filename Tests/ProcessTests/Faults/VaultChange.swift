import SecretVault
import Testing

/// The changes that a fault can interrupt.
enum VaultChange: CaseIterable, CustomTestStringConvertible {
  case add, update, delete, slotRemoval, passphrase, rotation, restore, drain

  var testDescription: String {
    switch self {
    case .add: "adding an item"
    case .update: "updating an item"
    case .delete: "deleting an item"
    case .slotRemoval: "removing a slot"
    case .passphrase: "changing the passphrase"
    case .rotation: "rotating the keys"
    case .restore: "restoring a backup"
    case .drain: "a commit of several items and the emptying of the log"
    }
  }

  /// Opens what the change needs; what is returned makes the change.
  func prepare(_ trial: Trial) throws -> Prepared {
    let store = try trial.openUnlocked()
    let item = Trial.item
    switch self {
    case .add:
      return Prepared(store) {
        try store.add(
          SecretItem(identity: ItemIdentity(service: "new")),
          secret: SecretBytes("new")
        )
      }
    case .update: return Prepared(store) { try store.set(SecretBytes("new"), for: item) }
    case .delete: return Prepared(store) { _ = try store.remove(item) }
    case .slotRemoval:
      let administration = try store.administration(with: trial.credential)
      let slot = try #require(try administration.slots().first(where: \.needsPassphrase))
      return Prepared(store) { _ = try administration.removeSlot(slot.id) }
    case .passphrase:
      let administration = try store.administration(
        with: .passphrase(SecretBytes("passphrase"))
      )
      return Prepared(store) {
        _ = try administration.changePassphrase(to: SecretBytes("new"), log2N: 15)
      }
    case .rotation:
      let administration = try store.administration(with: trial.credential)
      return Prepared(store) { _ = try administration.rotate() }
    case .restore:
      return Prepared(store) {
        _ = try store.restore(from: trial.backupPath, with: trial.credential)
      }
    case .drain:
      return Prepared(store) {
        try store.transaction { transaction in
          for number in 0..<20 {
            try transaction.set(SecretBytes("\(number)"), for: ItemIdentity(service: "\(number)"))
          }
        }
        try store.emptyLog()
      }
    }
  }

  struct Prepared {
    let store: SecretStore
    let run: () throws -> Void

    init(_ store: SecretStore, _ run: @escaping () throws -> Void) {
      self.store = store
      self.run = run
    }
  }
}
