import Foundation
import Glibc
import SecretVault
import Testing

/// Where a program keeps its state that names no folder for it.
@Suite("The place of the state folder")
struct StatePathTests {
  @Test("of several state directories that a service manager names, the first is taken")
  func severalDirectories() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      unsafe unsetenv("SECRETVAULT_STATE")
      unsafe setenv("STATE_DIRECTORY", child.statePath + ":" + child.statePath + "-of-others", 1)
      var options = SecretStore.Options()
      options.requiresAnchor = true
      let store = try SecretStore.open(at: child.path, options: options)
      try await store.unlock(with: child.credential)
      store.close()
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder).count {
        $0.hasPrefix("state")
      } == 1
    )
  }
}
