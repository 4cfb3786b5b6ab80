import CLinux
import Dispatch
import Glibc

/// Calls back when something was written to the vault, from a queue of its own.
///
/// The kernel says so (inotify); nothing runs while nothing happens. Where the kernel cannot say it, for a file system
/// that other machines write to or because a limit is reached, the call comes at an interval.
///
/// `@unchecked Sendable` holds because the source is set once, before the object is shared, and Dispatch's calls on it are
/// safe from any thread.
final class FolderWatch: @unchecked Sendable {
  /// How often a vault is looked at that cannot be watched, in milliseconds.
  static let pollingMilliseconds = 1000

  /// Whether the vault is looked at on an interval.
  let isPolling: Bool
  private let queue = DispatchQueue(label: "secretvault.changes", qos: .utility)
  private let source: any DispatchSourceProtocol
  private let look: @Sendable () -> Void

  /// Starts calling `look`, at first soon.
  init(_ location: VaultLocation, _ look: @escaping @Sendable () -> Void) {
    self.look = look
    if let events = FolderEvents(location) {
      let reader = DispatchSource.makeReadSource(
        fileDescriptor: events.file.number,
        queue: queue
      )
      // The handler holds the descriptor until the source is cancelled.
      reader.setEventHandler { if events.readConcernsVault() { look() } }
      reader.setCancelHandler { withExtendedLifetime(events) {} }
      source = reader
      isPolling = false
    } else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(
        deadline: .now() + .milliseconds(Self.pollingMilliseconds),
        repeating: .milliseconds(Self.pollingMilliseconds),
        leeway: .milliseconds(Self.pollingMilliseconds / 10)
      )
      timer.setEventHandler(handler: look)
      source = timer
      isPolling = true
    }
    source.activate()
    lookSoon()
  }

  deinit {
    source.cancel()
  }

  /// Ends the calls and closes what was open for them.
  func cancel() {
    source.cancel()
  }

  /// Calls in the watch's queue, even though nothing was written.
  func lookSoon() {
    queue.async(execute: look)
  }
}

/// The kernel's account of what happens in the folder of a vault.
private final class FolderEvents: Sendable {
  let file: FileDescriptor
  private let names: Set<String>

  /// File systems on which another machine can write without the kernel here knowing (statfs(2)): NFS, SMB and its two
  /// successors, AFS, Coda, Ceph, 9P, FUSE.
  private static let sharedFileSystems: Set<UInt32> = [
    0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x5346_414f, 0x7375_7245, 0x00c3_6400, 0x0102_1997,
    0x6573_5546,
  ]

  /// `nil` where the folder cannot be watched.
  init?(_ location: VaultLocation) {
    let type = secretvault_file_system_type(location.folder.number)
    guard !Self.sharedFileSystems.contains(UInt32(truncatingIfNeeded: type)),
      let file = FileDescriptor.fileNotes()
    else { return nil }
    let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
    guard unsafe inotify_add_watch(file.number, location.folderPath, mask) >= 0 else { return nil }
    self.file = file
    // A commit is written to the log first; whoever replaces the vault moves another file to its name.
    names = [location.name, location.name + "-wal"]
  }

  /// Takes what the kernel has noted, and says whether any of it concerns the vault.
  func readConcernsVault() -> Bool {
    var concerns = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(file.number, &buffer, buffer.count)
      guard count > 0 else { return concerns }
      var offset = 0
      // Four numbers of four bytes, the last of which is the length of the name behind them (inotify(7)).
      while offset + 16 <= count {
        let end = offset + 16 + Int(buffer[offset + 12]) + Int(buffer[offset + 13]) << 8
        guard end <= count else { break }
        let name = buffer[(offset + 16)..<end].prefix { $0 != 0 }
        // Without a name: notes were lost, or the folder itself went.
        concerns = concerns || name.isEmpty || names.contains(String(decoding: name, as: UTF8.self))
        offset = end
      }
    }
  }
}
