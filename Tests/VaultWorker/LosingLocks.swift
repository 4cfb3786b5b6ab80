import Glibc
import SecretVault

extension WorkingVault {
  /// Does what no program may: opens and closes the vault file itself while a store has it open.
  ///
  /// Says by making a file where it is, and waits for another file before it goes on; then it waits to be killed.
  func loseLocks(saying readyPath: String, waitingFor goPath: String) throws {
    let store = try openUnlocked()
    make(readyPath)
    while unsafe access(goPath, F_OK) != 0 { usleep(1000) }
    close(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC))
    unsafe unlink(readyPath)
    while true { withExtendedLifetime(store) { _ = pause() } }
  }

  private func make(_ path: String) {
    close(unsafe Glibc.open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
  }
}
