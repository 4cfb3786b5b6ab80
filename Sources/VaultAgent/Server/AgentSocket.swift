import CLinux
import Glibc
import SecretVault

/// The socket on which the agent listens, and what keeps a second agent away.
struct AgentSocket {
  /// The first descriptor that a service manager hands over (`sd_listen_fds(3)`).
  private static let firstActivationDescriptor: Int32 = 3

  let listener: Descriptor

  /// The locked file; the lock ends with the process, however it ends.
  private let lock: Descriptor

  /// What is removed at the end; `nil` for the socket of a service manager.
  private let path: String?

  /// Takes the lock and makes the socket, in place of one that a killed agent left, or takes the one that the service
  /// manager has made.
  static func open() throws(VaultError) -> AgentSocket {
    let folder = try RuntimeFolder.make()
    let lock = try takeLock(folder.lockPath)
    if let listener = try activationSocket() {
      return AgentSocket(listener: listener, lock: lock, path: nil)
    }
    // The lock's file may have been removed under an agent that lives; it is not displaced.
    guard try LocalSocket.connect(to: folder.socketPath) == nil else {
      throw VaultError(.agentExists)
    }
    // Whoever left it does not live.
    unsafe unlink(folder.socketPath)
    let listener = try LocalSocket.listen(at: folder.socketPath)
    return AgentSocket(listener: listener, lock: lock, path: folder.socketPath)
  }

  /// Removes the socket, so that nobody finds an agent any more.
  func remove() {
    if let path { unsafe unlink(path) }
  }

  private static func takeLock(_ path: String) throws(VaultError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let number = unsafe secretvault_openat(AT_FDCWD, path, flags, 0o600)
    guard number >= 0 else {
      throw VaultError(.insecureFile, "the agent's lock file cannot be opened; remove it")
    }
    let file = Descriptor(number)
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw VaultError(.agentExists) }
    return file
  }

  /// The listening socket of a service manager, where it has handed over exactly one to this process.
  private static func activationSocket() throws(VaultError) -> Descriptor? {
    guard number(of: "LISTEN_PID") == getpid(), let count = number(of: "LISTEN_FDS") else {
      return nil
    }
    let descriptor = firstActivationDescriptor
    guard count == 1, option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
      option(SO_ACCEPTCONN, of: descriptor) == 1
    else {
      throw VaultError(
        .invalidArgument,
        "the service manager must hand over one listening Unix stream socket"
      )
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return Descriptor(descriptor)
  }

  private static func number(of variable: String) -> Int32? {
    unsafe getenv(variable).flatMap { unsafe String(validatingCString: $0) }.flatMap { Int32($0) }
  }

  private static func option(_ option: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
  }
}
