import CLinux
import Glibc
import SecretVault

// What a thread that follows the agent waits for.

extension Descriptor {
  /// A pipe: what is readable, or hung up, and what is written, or closed.
  static func pipe() throws(VaultError) -> (readEnd: Descriptor, writeEnd: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard unsafe secretvault_pipe(&ends) == 0 else {
      throw VaultError(.inputOutput, "the system has no descriptors left")
    }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  /// Becomes readable when a name appears or goes in a folder (`inotify(7)`).
  static func watch(folder path: String) throws(VaultError) -> Descriptor {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else {
      throw VaultError(
        .inputOutput,
        "no folder can be watched; raise fs.inotify.max_user_instances"
      )
    }
    let events = Descriptor(number)
    let kinds = UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
    guard unsafe inotify_add_watch(number, path, kinds) >= 0 else {
      throw VaultError(.inputOutput, "the folder of the agent's socket cannot be watched")
    }
    return events
  }

  /// Waits until one of several is readable or hung up, and returns the place of the first such one.
  static func waitForAny(of descriptors: [Descriptor]) -> Int {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while true {
      let count = nfds_t(entries.count)
      guard unsafe poll(&entries, count, -1) > 0 else { continue }
      if let first = entries.firstIndex(where: { $0.revents != 0 }) { return first }
    }
  }

  /// Reads away what is there, without waiting; for a descriptor that does not block.
  func discardInput() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while unsafe read(number, &bytes, bytes.count) > 0 {}
  }
}
