import Glibc
import TestSupport
import Testing

/// Whether a key file outlives a loss of power as surely as the slot that it opens.
@Suite(
  "Durable key files",
  .enabled(if: SystemCallTracer.readsArguments, "this needs strace and root")
)
struct KeyFileDurabilityTests {
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
}
