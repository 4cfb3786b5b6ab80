import SecretVault
import TestSupport
import Testing

/// What is typed at a prompt lies in the tool's memory once, protected, and only while it is needed.
@Suite("Typed secrets in memory", .enabled(if: ForeignMemory.isReadable, "this needs root"))
struct TerminalMemoryTests {
  private let passphrase = "saffron-ibex-5106-passphrase"
  private let secret = "cobalt-otter-4417-secret"
  private let vault: ProcessVault
  private let terminal: PseudoTerminal

  init() throws {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes(passphrase)))
    slot.log2N = 15
    vault = try ProcessVault(alsoProtectedBy: [slot])
    terminal = try PseudoTerminal()
  }

  @Test("P-5: after it was entered and the vault unlocked, no copy of the passphrase is left")
  func passphraseEntry() throws {
    let process = try startAtTerminal("set", "api.example.com")
    let memory = ForeignMemory(process: process.identifier)
    try terminal.expect("Passphrase for")
    try terminal.type(passphrase + "\r")
    try terminal.expect("ecret")
    #expect(try memory.occurrences(of: passphrase).count == 0)
    try terminal.type(secret + "\r")
    try terminal.expect("again")
    let copies = try memory.occurrences(of: secret)
    #expect(copies.count == 1)
    #expect(copies.allSatisfy { $0.isProtected })
    try terminal.type(secret + "\r")
    #expect(try process.finish().exitCode == 0)
  }

  private func startAtTerminal(_ words: String...) throws -> ChildProcess {
    var request = vault.tool(words: words, input: .terminal)
    request.environment["SECRETVAULT_KEY_FILE"] = nil
    request.terminal = terminal
    request.output = .terminal
    request.errors = .terminal
    return try ChildProcess(request)
  }
}
