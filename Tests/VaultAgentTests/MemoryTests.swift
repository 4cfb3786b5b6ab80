import Foundation
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("The memory of the agent")
struct MemoryTests {
  private static let canLook = geteuid() == 0

  /// The figures that `/proc` gives are of the process as a whole, so each test has an agent of its own.
  private let vault: AgentVault
  private let agent: RunningAgent

  init() throws {
    vault = try AgentVault(alsoProtectedBy: [.cheap("correct horse battery")])
    agent = try RunningAgent()
  }

  /// Uses every key.
  private func use() throws {
    let client = try agent.connect()
    _ = try client.ask(.secret(vault.vaultPath, .whenUnlocked))
    _ = try client.ask(.secret(vault.vaultPath, .always))
    _ = try client.ask(.items(vault.vaultPath, .all))
    let secret = try SecretBytes("secret")
    _ = try client.ask(.set(vault.vaultPath, .always, ItemChanges(), version: nil, secret))
  }

  @Test(
    "every copy of a key is in locked memory that is left out of cores, and a lock wipes the keys",
    .enabled(if: canLook, "only root can read the memory of a hardened process")
  )
  func keys() throws {
    let keys = try VaultKeys.of(vault)
    let locked = try #require(keys.leaves[.whenUnlocked])
    let kept = try #require(keys.leaves[.afterFirstUnlock]) + [keys.index, keys.manifest]
    let memory = AgentMemory(process: agent.identifier)
    #expect(try memory.occurrences(of: locked + kept).allSatisfy(\.isEmpty), "before the unlock")

    try agent.unlock(vault)
    for _ in 0..<20 { try use() }
    for copies in try memory.occurrences(of: locked + kept) {
      #expect(!copies.isEmpty)
      for copy in copies { #expect(copy.isProtected, "a copy in \(copy.name)") }
    }
    let never = [keys.root, keys.group, vault.keyFile.copied(as: [UInt8].self)]
    #expect(try memory.occurrences(of: never).allSatisfy(\.isEmpty), "what the agent never holds")

    try agent.connect().succeed(.lock(nil))
    #expect(try memory.occurrences(of: locked).allSatisfy(\.isEmpty), "locked")
    for copies in try memory.occurrences(of: kept) {
      #expect(!copies.isEmpty)
      for copy in copies { #expect(copy.isProtected, "a copy in \(copy.name)") }
    }
  }

  @Test(
    "neither a passphrase nor a secret is left in memory after it was used",
    .enabled(if: canLook, "only root can read the memory of a hardened process")
  )
  func secrets() throws {
    let passphrase = "correct horse battery"
    let secret = "a secret that nobody else has, \(UUID().uuidString)"
    let request = try vault.unlockRequest(.passphrase(SecretBytes(passphrase)))
    try agent.connect().succeed(.unlock(request))
    let client = try agent.connect()
    let path = try vault.vaultPath
    try client.succeed(
      .set(path, .whenUnlocked, ItemChanges(), version: nil, SecretBytes(secret))
    )
    for _ in 0..<5 { #expect(try client.secret(vault, .whenUnlocked) == secret) }
    let memory = AgentMemory(process: agent.identifier)
    let found = try memory.occurrences(of: [passphrase, secret].map { Array($0.utf8) })
    #expect(found.map(\.count) == [0, 0])
  }

  @Test("after an unlock with a passphrase of the usual cost the agent holds no more than 20 MiB")
  func residentSize() throws {
    let vault = try AgentVault(
      alsoProtectedBy: [SecretStore.NewSlot(.passphrase(try SecretBytes("usual")))]
    )
    let request = try vault.unlockRequest(.passphrase(SecretBytes("usual")))
    try agent.connect().succeed(.unlock(request))
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
    #expect(try agent.kibibytes("VmHWM") > 100 * 1024, "scrypt has used 128 MiB and more")
    // Shared pages of the runtime's libraries, which a static executable does not have, are left out.
    let own = try agent.kibibytes("RssAnon")
    #expect(own < 20 * 1024, "\(own) KiB")
  }

  /// Tries to attach to a process, and to read its memory, and prints what the kernel says.
  private static let pry = """
    import ctypes, os, sys
    process = int(sys.argv[1])
    try:
      open(f"/proc/{process}/mem", "rb").close()
      print("read")
    except PermissionError:
      print("refused")
    c = ctypes.CDLL(None, use_errno=True)
    print("attached" if c.ptrace(16, process, None, None) == 0 else os.strerror(ctypes.get_errno()))
    """

  @Test(
    "A-7: a process of the same user can neither attach to the agent nor read its memory",
    .enabled(if: OtherUser.canBePlayed, "\(OtherUser.absence)")
  )
  func prying() throws {
    // Root may do both, so everybody here is another user.
    var settings = RunningAgent.Settings()
    settings.user = OtherUser.number
    let agent = try RunningAgent(settings)
    let pry = { (process: pid_t) in
      try ChildProcess(Python.script(Self.pry, ["\(process)"]).asUser(OtherUser.number)).finish()
    }
    #expect(try pry(agent.identifier).text == "refused\nOperation not permitted\n")
    var ordinary = Python.script("import sys; sys.stdin.read()").asUser(OtherUser.number)
    ordinary.input = .silent
    let victim = try ChildProcess(ordinary)
    #expect(
      try eventually { try pry(victim.identifier).text == "read\nattached\n" },
      "the kernel lets a user look into an ordinary process"
    )
    victim.send(SIGKILL)
    _ = try victim.finish()
  }
}
