import Glibc
import VaultFormat

extension VaultCheck {
  /// Looks at owners and modes of the vault's files, and at what this machine keeps of the vault.
  ///
  /// What is wrong here is no damage to the vault; the message says how to mend it.
  mutating func checkFiles(of store: SecretStore, _ vaultID: Identifier) {
    advise { () throws(VaultError) in
      let location = store.location
      try location.rules.checkFolder(FileStatus.of(location.folder), at: location.folderPath)
    }
    advise { () throws(VaultError) in _ = try store.location.check() }
    checkLeftovers(beside: store.location)
    guard let state = store.options.stateFolder(rules: store.location.rules),
      let anchors = store.anchors
    else {
      report.advise("there is no usable state folder, so a roll-back would go unnoticed; name one")
      return
    }
    advise { () throws(VaultError) in _ = try state.open("anchors") }
    advise { () throws(VaultError) in _ = try DeviceKey.load(from: state, random: store.random) }
    advise { () throws(VaultError) in
      guard try anchors.vaultID(at: store.location.path) != vaultID else { return }
      throw VaultError(
        .inputOutput,
        "the state folder does not know the vault at this path; make room there, and open it again"
      )
    }
    for scope in [.zero] + open.groups.map(\.scope.groupID) {
      advise { () throws(VaultError) in
        guard try anchors.anchor(vaultID: vaultID, scope: scope).remembered == nil else { return }
        throw VaultError(
          .inputOutput,
          "the state folder remembers nothing of scope \(scope.hex); make room there, and open the vault again"
        )
      }
    }
  }

  /// What a killed program left under a temporary name holds nothing that is not in the vault; who works there holds a lock.
  private mutating func checkLeftovers(beside location: VaultLocation) {
    advise { () throws(VaultError) in
      let name = location.temporaryName
      guard try FileStatus.of(name, in: location.folder) != nil else { return }
      let file = try? FileDescriptor.file(name, in: location.folder, flags: O_RDONLY)
      guard file?.isLocked != true else { return }
      throw VaultError(
        .inputOutput,
        "a program was killed and left the file .unfinished beside the vault; remove it"
      )
    }
  }

  private mutating func advise(_ look: () throws(VaultError) -> Void) {
    do { try look() } catch { report.advise(error.message) }
  }
}
