import Glibc
import SecretVault
import Testing

@Suite(
  "Files whose mode keeps their owner out",
  .enabled(if: geteuid() != 0, "modes do not bind root")
)
struct DeniedFileTests {
  @Test(
    "a vault, log or index that may not be read is a matter of modes, not of the disk",
    arguments: ["", "-wal", "-shm"]
  )
  func unreadable(_ suffix: String) throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(1, "kept")
    store.close()
    #expect(unsafe chmod(vault.path + suffix, 0) == 0)
    #expect(throws: VaultError(.insecureFile)) { try vault.openUnlocked().items() }
    #expect(unsafe chmod(vault.path + suffix, 0o600) == 0)
    #expect(try vault.openUnlocked().items().items.count == 1)
  }
}
