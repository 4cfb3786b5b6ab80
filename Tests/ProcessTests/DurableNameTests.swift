import Glibc
import TestSupport
import Testing

/// Whether names outlive a loss of power as surely as what depends on them.
@Suite(
  "Durable names",
  .enabled(if: SystemCallTracer.readsArguments, "this needs strace and root")
)
struct DurableNameTests {
  @Test("F-6: a key file whose name cannot be made durable is not left, and gets no slot")
  func folderFails() throws {
    let vault = try ProcessVault()
    let folder = vault.folder.path("keys")
    #expect(unsafe mkdir(folder, 0o700) == 0)
    let slots = try vault.tool("slot", "list").runToSuccess().text
    let request = vault.tool("slot", "add", "--generate-key-file", folder + "/new.key")
    let outcome = try SystemCallTracer.fail("fsync", with: "EIO", of: request, on: folder).run()
    #expect(outcome.exitCode != 0)
    #expect(unsafe access(folder + "/new.key", F_OK) != 0)
    #expect(try vault.tool("slot", "list").runToSuccess().text == slots)
    try request.runToSuccess()
  }

  @Test("F-6: a vault in a folder whose name cannot be made durable is not made")
  func folderAboveFails() throws {
    let vault = try ProcessVault(empty: ())
    let above = vault.folder.path("above")
    #expect(unsafe mkdir(above, 0o700) == 0)
    var request = vault.tool("init")
    request.environment["SECRETVAULT_PATH"] = above + "/new/test.vault"
    let outcome = try SystemCallTracer.fail("fsync", with: "EIO", of: request, on: above).run()
    #expect(outcome.exitCode != 0)
    #expect(unsafe access(above + "/new/test.vault", F_OK) != 0)
    try request.runToSuccess()
  }
}
