import Glibc
import SecretVault
import TestSupport
import Testing

/// A state folder on a file system of its own, which is small and may become read-only.
@Suite("A state folder without room", .enabled(if: SmallFileSystem.isUsable, "this needs root"))
struct StateFolderTests {
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  @Test("F-6: a full file system of the state folder is told, and the write holds")
  func full() throws {
    let vault = try ProcessVault()
    let small = try SmallFileSystem(at: vault.folder.path("small"))
    try small.fill()
    let outcome = try set("one", in: vault, state: small)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.contains("the state folder could not be written"))
    try small.makeRoom()
    #expect(try set("two", in: vault, state: small).exitCode == 0)
    #expect(try set("three", in: vault, state: small).errorText.isEmpty)
    #expect(try secret(vault) == "three")
  }

  @Test("F-6: a read-only state folder is told, and the write holds")
  func readOnly() throws {
    let vault = try ProcessVault()
    let small = try SmallFileSystem(at: vault.folder.path("small"))
    #expect(try set("one", in: vault, state: small).exitCode == 0)
    try small.becomeReadOnly()
    let outcome = try set("two", in: vault, state: small)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.contains("a roll-back would go unnoticed"))
    #expect(try secret(vault) == "two")
  }

  private func set(
    _ secret: String,
    in vault: ProcessVault,
    state: SmallFileSystem
  ) throws -> ChildProcess.Outcome {
    var request = vault.tool("set", "api.example.com", "alice", input: .text(secret))
    request.environment["SECRETVAULT_STATE"] = state.path + "/state"
    return try request.run()
  }

  private func secret(_ vault: ProcessVault) throws -> String? {
    try vault.withStore { store in try store.secret(for: item)?.copiedAsString() }
  }
}
