import Foundation
import SecretVault
import TestSupport
import Testing
import VaultAgent

/// What the program of a test knows, and does.
struct AgentStoreProgram: Codable {
  let runtime: String
  let vault: String
  let key: String
  let tool: String

  /// Makes the runtime folder the process's own.
  func enter() { _ = unsafe setenv("XDG_RUNTIME_DIR", runtime, 1) }

  private func connect() throws -> AgentStore {
    enter()
    return try #require(try AgentStore.connect(toVaultAt: vault))
  }

  func findNobody() throws {
    enter()
    #expect(try AgentStore.connect(toVaultAt: vault) == nil)
    #expect(try AgentControl.connect() == nil)
  }

  func makeEveryCall() throws {
    let store = try connect()
    let identity = ItemIdentity(service: "s", account: "a")
    let bytes: [UInt8] = [0, 255, 10, 13]
    #expect(try store.secret(for: identity) == nil)
    #expect(try store.item(for: identity) == nil)
    try store.add(SecretItem(identity: identity), secret: SecretBytes(copying: bytes))
    #expect(try store.secret(for: identity)?.copied(as: [UInt8].self) == bytes)
    #expect(throws: VaultError(.duplicateItem)) {
      try store.add(SecretItem(identity: identity), secret: nil)
    }
    try store.set(SecretBytes(copying: []), for: identity, label: "L")
    #expect(try store.secret(for: identity)?.isEmpty == true)
    let item = try #require(try store.item(for: identity))
    #expect(item.label?.text == "L")
    #expect(throws: VaultError(.conflict)) {
      try store.set(SecretBytes(copying: [1]), for: identity, ifVersion: item.version + 1)
    }
    try store.update(identity) { item, secret in
      item.identity.account = "b"
      secret = try SecretBytes(copying: [7])
    }
    #expect(try store.secret(for: identity) == nil)
    let renamed = ItemIdentity(service: "s", account: "b")
    #expect(try store.secret(for: renamed)?.copied(as: [UInt8].self) == [7])
    let query = ItemQuery(service: "s")
    #expect(try store.items(matching: query).items.map(\.identity.account.text) == ["b"])
    #expect(throws: VaultError(.itemNotFound)) { try store.update(identity) { _, _ in } }
    #expect(throws: VaultError(.notPermitted)) {
      try store.secret(for: ItemIdentity(service: "s", group: "elsewhere"))
    }
    #expect(try store.remove(renamed))
    #expect(try !store.remove(renamed))
    _ = try store.emptyLog()
  }

  func storeTheLargest() throws {
    let store = try connect()
    var item = SecretItem(identity: ItemIdentity(service: "large"))
    item.comment = AttributeValue(String(repeating: "c", count: 60_000))
    let largest = try SecretBytes(count: 1 << 20) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
    }
    try store.add(item, secret: largest)
    let read = try #require(try store.secret(for: item.identity))
    #expect(read.constantTimeEquals(largest))
    try store.update(item.identity) { item, _ in item.label = "L" }
    #expect(try store.secret(for: item.identity)?.constantTimeEquals(largest) == true)
    let tooLarge = try SecretBytes(count: 1 << 20 + 1) { _ in }
    #expect(throws: VaultError(.limitExceeded)) { try store.set(tooLarge, for: item.identity) }
    let huge = try SecretBytes(count: 1 << 21) { _ in }
    #expect(throws: VaultError(.limitExceeded)) { try store.set(huge, for: item.identity) }
    #expect(try store.secret(for: item.identity)?.constantTimeEquals(largest) == true)
  }

  func listMany() throws {
    let store = try connect()
    for number in 0..<300 {
      var item = SecretItem(identity: ItemIdentity(service: "service \(number)"))
      item.comment = AttributeValue(String(repeating: "c", count: 2000))
      try store.add(item, secret: nil)
    }
    let listing = try store.items()
    #expect(listing.items.count == 301)
    #expect(Set(listing.items.map(\.identity)).count == 301)
  }

  func useAgainAfterAWhile() throws {
    let store = try connect()
    let identity = ItemIdentity(service: "s")
    for number in UInt8(0)..<2 {
      // Longer than the agent keeps a connection that nobody uses.
      sleep(6)
      try store.set(SecretBytes(copying: [number]), for: identity)
      #expect(try store.secret(for: identity)?.copied(as: [UInt8].self) == [number])
    }
  }

  func countTogether() async throws {
    let store = try connect()
    let identity = ItemIdentity(service: "counter")
    try await store.set(SecretBytes(copying: Array("0".utf8)), for: identity)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            try await store.update(identity) { _, secret in
              let number = secret?.copiedAsString().flatMap { Int($0) } ?? 0
              secret = try SecretBytes(copying: Array("\(number + 1)".utf8))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.secret(for: identity)?.copiedAsString() == "40")
  }

  func askInParentAndChild() throws {
    let store = try connect()
    let control = try #require(try AgentControl.connect())
    for name in ["parent", "child"] {
      try store.set(SecretBytes(copying: Array(name.utf8)), for: ItemIdentity(service: name))
    }
    func isRight(_ name: String) -> Bool {
      (try? store.secret(for: ItemIdentity(service: name)))?.copiedAsString() == name
    }
    for _ in 0..<50 {
      let child = fork()
      if child == 0 {
        let isRefused = (try? control.status(ofVaultAt: vault)) == nil
        _exit(isRight("child") && isRefused ? 0 : 1)
      }
      #expect(isRight("parent"))
      #expect(exitCode(of: child) == 0)
    }
    #expect(try control.status(ofVaultAt: vault).state == .unlocked)
  }

  func outliveAgents() throws {
    let store = try connect()
    let identity = ItemIdentity(service: "stored")
    #expect(try store.secret(for: identity)?.copiedAsString() == "x")
    let control = try #require(try AgentControl.connect())
    try control.lock(vaultAt: nil)
    #expect(try control.status(ofVaultAt: vault).state == .locked)
    #expect(throws: VaultError(.locked)) { try store.secret(for: identity) }
    for signal in [SIGTERM, SIGKILL] {
      let socketPath = runtime + "/secretvault/agent.sock"
      let agent = try #require(AgentFolder.agent(listeningAt: socketPath))
      kill(agent, signal)
      // An agent that is about to end may still take a write that nobody answers, and a program that it was just
      // starting has its socket for a moment longer.
      try waitUntil {
        AgentFolder.hasEnded(agent) && AgentFolder.agent(listeningAt: socketPath) == nil
      }
      #expect(throws: VaultError(.locked)) { try store.secret(for: identity) }
      #expect(throws: VaultError(.locked)) { try store.remove(identity) }
      try unlock()
      #expect(try store.secret(for: identity)?.copiedAsString() == "x")
    }
  }

  private func unlock() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = ["unlock", "--vault", vault, "--key-file", key]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
