import CLinux
import Glibc
package import SecretVault

/// Sockets that are reached by a path on this machine (`unix(7)`), between processes of one user.
package enum LocalSocket {
  /// How long a connection may wait for a place in the backlog of the listening side.
  private static let connectPatience = timeval(tv_sec: 5, tv_usec: 0)

  /// Connects to the socket at a path; `nil` where nobody listens there.
  ///
  /// Who listens must be the same user; nothing has been sent yet when another one is refused.
  ///
  /// - Throws: `VaultError`: `insecureFile` for a socket of another user, `busy` where the backlog stays full,
  ///   `invalidArgument` for a path of more than 107 bytes.
  package static func connect(to path: String) throws(VaultError) -> Descriptor? {
    let address = try address(path)
    let socket = try make()
    var patience = connectPatience
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(socket.number, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    let result = unsafe withPointer(to: address) { address, size in
      unsafe Glibc.connect(socket.number, address, size)
    }
    if result != 0 {
      switch errno {
      case ENOENT, ECONNREFUSED, ENOTDIR: return nil
      case EAGAIN: throw VaultError(.busy, "the agent is busy; try again")
      case EACCES, EPERM: throw VaultError(.insecureFile, "the agent's socket is not yours")
      default: throw VaultError(.inputOutput, "the agent cannot be reached")
      }
    }
    guard isPeerSameUser(socket) else {
      throw VaultError(
        .insecureFile,
        "another user listens on the agent's socket; remove its folder"
      )
    }
    return socket
  }

  /// Makes a socket at a free path, with mode 0600 from its start, and listens.
  ///
  /// - Throws: `VaultError`: `inputOutput` where that fails, `invalidArgument` for a path of more than 107 bytes.
  package static func listen(at path: String) throws(VaultError) -> Descriptor {
    let address = try address(path)
    let socket = try make()
    // The file gets the mode that the socket has when it is bound.
    guard fchmod(socket.number, 0o600) == 0,
      unsafe withPointer(to: address, { unsafe bind(socket.number, $0, $1) }) == 0,
      Glibc.listen(socket.number, SOMAXCONN) == 0
    else { throw VaultError(.inputOutput, "the agent's socket cannot be made") }
    return socket
  }

  /// Takes the next connection, or returns `nil` where there is none any more.
  package static func accept(from listener: Descriptor) -> Descriptor? {
    let number = secretvault_accept(listener.number)
    return number >= 0 ? Descriptor(number) : nil
  }

  /// Whether the process at the other end was of this process's user when it connected or listened
  /// (`SO_PEERCRED`).
  package static func isPeerSameUser(_ socket: Descriptor) -> Bool {
    var user = uid_t.max
    return unsafe secretvault_peer_user(socket.number, &user) == 0 && user == geteuid()
  }

  /// The process at the other end, readable when that has ended; `nil` where the kernel does not tell.
  package static func peerProcess(_ socket: Descriptor) -> Descriptor? {
    let number = secretvault_peer_process(socket.number)
    return number >= 0 ? Descriptor(number) : nil
  }

  private static func make() throws(VaultError) -> Descriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(AF_UNIX, type, 0)
    guard number >= 0 else { throw VaultError(.inputOutput, "no socket can be made") }
    return Descriptor(number)
  }

  /// The address of a path; a longer one would be cut and reach another file.
  private static func address(_ path: String) throws(VaultError) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard bytes.count <= capacity, !bytes.contains(0) else {
      throw VaultError(
        .invalidArgument,
        "the path of the agent's socket is too long; choose a shorter XDG_RUNTIME_DIR"
      )
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return address
  }

  private static func withPointer<Result>(
    to address: sockaddr_un,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
