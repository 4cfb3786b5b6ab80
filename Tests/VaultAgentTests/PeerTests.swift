import Foundation
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("Other users, and who is at the other end")
struct PeerTests {
  /// Connects, sends a status request, and prints what comes back, or that the connection was closed.
  private static let askForStatus = """
    import socket, sys
    client = socket.socket(socket.AF_UNIX)
    client.connect(sys.argv[1])
    try:
      client.sendall(bytes([0, 0, 0, 3, 2, 1, 0]))
      answer = client.recv(100)
    except (ConnectionResetError, BrokenPipeError):
      answer = b""
    print(answer.hex() or "closed")
    """

  /// Listens, tells when it does by a file, and prints how many bytes the first client sent.
  private static let listen = """
    import os, socket, sys
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o777)
    server.listen(5)
    open(sys.argv[2], "w").close()
    client, _ = server.accept()
    received = 0
    while True:
      part = client.recv(1000)
      if not part: break
      received += len(part)
    print(received)
    """

  @Test(
    "A-1: the connection of another user is closed, and nothing of it is read",
    .enabled(if: OtherUser.canBePlayed, "\(OtherUser.absence)")
  )
  func otherClient() throws {
    let agent = try RunningAgent()
    // As if the folders did not keep others away.
    for (name, mode) in [("", 0o711), ("secretvault", 0o711), ("secretvault/agent.sock", 0o666)] {
      #expect(unsafe chmod(agent.runtimeFolder.path(name), mode_t(mode)) == 0)
    }
    let request = Python.script(Self.askForStatus, [agent.socketPath])
    let own = try ChildProcess(request).finish()
    #expect(own.text.hasPrefix("00000006"), "the agent answers its own user: \(own.errorText)")
    let other = try ChildProcess(request.asUser(OtherUser.number)).finish()
    #expect(other.text == "closed\n", "\(other.errorText)")
  }

  @Test(
    "A-2: a client refuses the socket of another user before it sends a byte",
    .enabled(if: OtherUser.canBePlayed, "\(OtherUser.absence)")
  )
  func otherServer() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe chown(folder.path, OtherUser.number, OtherUser.number) == 0)
    let socketPath = folder.path("agent.sock")
    let words = [socketPath, folder.path("ready")]
    let server = try ChildProcess(Python.script(Self.listen, words).asUser(OtherUser.number))
    #expect(eventually { folder.has("ready") })
    #expect(throws: VaultError(.insecureFile)) { try LocalSocket.connect(to: socketPath) }
    let outcome = try server.finish()
    #expect(outcome.text == "0\n", "\(outcome.errorText)")
  }

  @Test(
    "A-2: a client asks nothing through a folder that another user owns, or that is open to others",
    .enabled(if: geteuid() == 0, "only root can give folders away")
  )
  func otherFolder() throws {
    let agent = try RunningAgent()
    let path = agent.runtimeFolder.path("secretvault")
    let reader = agent.client("read", "/nowhere/test.vault", "1")
    #expect(unsafe chmod(path, 0o755) == 0)
    #expect(try ChildProcess(reader).finish().text.contains("insecureFile"))
    #expect(unsafe chmod(path, 0o700) == 0)
    #expect(unsafe chown(path, OtherUser.number, OtherUser.number) == 0)
    #expect(try ChildProcess(reader).finish().text.contains("insecureFile"))
  }

  @Test("A-2: a link in the place of the folder is not followed")
  func linkedFolder() throws {
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    #expect(unsafe symlink(elsewhere.path, folder.path("secretvault")) == 0)
    let serve = RunningAgent.request(["serve", "0", "0", "1", "1"], runtimePath: folder.path)
    #expect(try ChildProcess(serve).finish().text.contains("insecureFile"))
    #expect(try elsewhere.names().isEmpty)
  }

  /// Takes the turn to ask, leaves the connection to a child that lives on, and ends.
  private static let leaveConnectionToChild = """
    import os, socket, struct, sys, time
    client = socket.socket(socket.AF_UNIX)
    client.connect(sys.argv[1])
    path = sys.argv[2].encode()
    client.sendall(struct.pack(">IBBI", 6 + len(path), 2, 4, len(path)) + path)
    assert client.recv(100)[-1] == 1
    if os.fork() == 0:
      for number in range(3): os.close(number)
      time.sleep(60)
    else:
      print("taken", flush=True)
    """

  @Test(
    "A-5: a peer's death shows although its connection lives on in another process",
    .enabled(
      if: PeerTests.kernelTellsProcesses && Python.isInstalled,
      "needs Linux 6.5 and python3"
    )
  )
  func peerDeath() throws {
    let agent = try RunningAgent()
    let path = try #require(VaultPath(resolved: "/nowhere/test.vault"))
    // Its standard output ends with it, but not the connection, which the child has.
    let words = [agent.socketPath, path.text]
    let request = Python.script(Self.leaveConnectionToChild, words)
    let holder = try ChildProcess(request)
    let waiting = try agent.connect()
    #expect(eventually { holder.isOver })
    guard case .prompt(.ask) = try waiting.ask(.prompt(path), patience: .seconds(20)) else {
      throw FrameChannel.Closed()
    }
    kill(-holder.identifier, SIGKILL)
    _ = try holder.finish()
  }

  /// Whether the kernel has `SO_PEERPIDFD`.
  private static var kernelTellsProcesses: Bool {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      return false
    }
    let (left, _) = (Descriptor(ends[0]), Descriptor(ends[1]))
    return LocalSocket.peerProcess(left) != nil
  }
}
