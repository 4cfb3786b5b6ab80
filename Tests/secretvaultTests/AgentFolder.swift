import Foundation
import TestSupport

/// The runtime folder of one test, where its agent has its socket; an agent that still runs ends with it.
final class AgentFolder: Sendable {
  private let folder: TemporaryFolder

  /// Makes an empty folder.
  init() throws { folder = try TemporaryFolder(shortNameStartingWith: "sv") }

  deinit { kill(SIGKILL) }

  /// What `XDG_RUNTIME_DIR` is to be.
  var path: String { folder.path }

  var socketPath: String { path + "/secretvault/agent.sock" }

  /// The process that listens on the socket, or `nil` where there is none.
  var agent: pid_t? { Self.agent(listeningAt: socketPath) }

  /// The process that listens on a socket, or `nil` where there is none.
  static func agent(listeningAt socketPath: String) -> pid_t? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: Array(socketPath.utf8.prefix(107)))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(descriptor, pointer, size)
      }
    }
    guard result == 0 else { return nil }
    // struct ucred: process, user, group.
    var peer: [Int32] = [0, 0, 0]
    var peerSize = socklen_t(12)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &peerSize) == 0 else {
      return nil
    }
    return peer[0] == getpid() ? nil : peer[0]
  }

  /// Whether a process has ended, if only nobody has waited for it yet.
  static func hasEnded(_ process: pid_t) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return true
    }
    // The state is the word behind the name, which can hold anything (proc(5)).
    let state = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.dropFirst().first
    return state == "Z" || state == "X"
  }

  /// Sends a signal to the agent, if there is one.
  func kill(_ signal: Int32) {
    if let agent { _ = Foundation.kill(agent, signal) }
  }
}
