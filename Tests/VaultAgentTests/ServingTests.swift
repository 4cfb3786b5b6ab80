import Glibc
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("What the agent serves")
struct ServingTests {
  private let vault: AgentVault
  private let agent: RunningAgent

  init() throws {
    vault = try AgentVault()
    agent = try RunningAgent()
  }

  @Test("a vault that was not unlocked is locked")
  func beforeUnlock() throws {
    let client = try agent.connect()
    #expect(try client.failure(of: .secret(vault.vaultPath, .whenUnlocked)) == .locked)
    #expect(try client.failure(of: .items(vault.vaultPath, .all)) == .locked)
    #expect(try client.state(vault) == nil)
  }

  @Test("an unlocked vault gives its secrets to every connection")
  func afterUnlock() throws {
    try agent.unlock(vault)
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
    #expect(try agent.connect().secret(vault, ItemIdentity(service: "none")) == nil)
    #expect(try agent.connect().state(vault) == .unlocked)
  }

  @Test("a lock closes the classes that need an unlocked vault, and leaves the others")
  func lock() throws {
    try agent.unlock(vault)
    let client = try agent.connect()
    try client.succeed(.lock(nil))
    #expect(try client.state(vault) == .locked)
    #expect(try client.failure(of: .secret(vault.vaultPath, .whenUnlocked)) == .locked)
    #expect(try client.secret(vault, .always) == "always")
    try agent.unlock(vault)
    #expect(try client.secret(vault, .whenUnlocked) == "secret")
  }

  @Test("what is stored through the agent is in the vault, byte for byte, up to the largest secret")
  func writing() throws {
    try agent.unlock(vault)
    let client = try agent.connect()
    let path = try vault.vaultPath
    let large = try SecretBytes(count: 1 << 20) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    }
    let changes = ItemChanges(label: "label", expires: .never)
    try client.succeed(.set(path, ItemIdentity(service: "large"), changes, version: nil, large))
    try client.succeed(.add(path, SecretItem(identity: ItemIdentity(service: "none")), nil))
    let empty = try SecretBytes(copying: [])
    try client.succeed(.add(path, SecretItem(identity: ItemIdentity(service: "empty")), empty))
    try vault.withStore { store in
      let stored = try store.secret(for: ItemIdentity(service: "large"))
      #expect(stored?.constantTimeEquals(large) == true)
      #expect(try store.item(for: ItemIdentity(service: "large"))?.label == "label")
      #expect(try store.secret(for: ItemIdentity(service: "none")) == nil)
      #expect(try store.secret(for: ItemIdentity(service: "empty"))?.isEmpty == true)
    }
    guard
      case .secret(let read?) = try client.succeed(.secret(path, ItemIdentity(service: "large")))
    else { throw FrameChannel.Closed() }
    #expect(read.constantTimeEquals(large))
  }

  @Test("an item is replaced only as it was read")
  func replacing() throws {
    try agent.unlock(vault)
    let client = try agent.connect()
    let path = try vault.vaultPath
    guard case .contents(var item, let secret) = try client.succeed(.contents(path, .whenUnlocked))
    else { throw FrameChannel.Closed() }
    #expect(secret?.text == "secret")
    item.comment = "changed"
    let new = try SecretBytes("new")
    try client.succeed(.replace(path, .whenUnlocked, item, new))
    #expect(try client.secret(vault, .whenUnlocked) == "new")
    #expect(try client.failure(of: .replace(path, .whenUnlocked, item, secret)) == .conflict)
    let missing = ItemIdentity(service: "missing")
    #expect(try client.failure(of: .contents(path, missing)) == .itemNotFound)
  }

  @Test("a removal says whether there was something, and can be bound to a version")
  func removing() throws {
    try agent.unlock(vault)
    let client = try agent.connect()
    let path = try vault.vaultPath
    #expect(try client.failure(of: .remove(path, .whenUnlocked, version: 77)) == .conflict)
    for expected in [true, false] {
      guard case .flag(let flag) = try client.succeed(.remove(path, .whenUnlocked, version: nil))
      else { throw FrameChannel.Closed() }
      #expect(flag == expected)
    }
  }

  @Test("an agent whose vault got new keys elsewhere forgets it")
  func replacedVault() throws {
    try agent.unlock(vault)
    let other = try AgentVault()
    for suffix in ["-wal", "-shm"] { unsafe unlink(vault.path + suffix) }
    unsafe rename(other.path, vault.path)
    let client = try agent.connect()
    _ = try client.ask(
      .set(vault.vaultPath, .always, ItemChanges(), version: nil, SecretBytes("x"))
    )
    #expect(try client.state(vault) == nil)
  }
}
