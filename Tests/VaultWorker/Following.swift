import SecretVault
import VaultAgent

extension WorkingVault {
  /// Opens the vault with the agent's lock state, tells each new state, and does what lines of standard input say:
  /// `unlock`, or `get` for the secret of an item.
  func followAgent(reading service: String) throws {
    let state = try AgentLockState(vaultAt: path)
    let store = try SecretStore.open(at: path, lockState: state, options: options)
    let observation = LockObservation { print("now \($0)") }
    state.observe(observation)
    print("at first \(state.state)")
    while let line = readLine() {
      do {
        switch line {
        case "unlock":
          try store.unlock(with: .keyFile(at: keyPath))
          print("opened")
        default:
          let secret = try store.secret(for: ItemIdentity(service: service))
          print("got \(secret?.copiedAsString() ?? "nothing")")
        }
      } catch {
        print("failed \(error.code)")
      }
    }
    withExtendedLifetime(observation) {}
    store.close()
  }
}
