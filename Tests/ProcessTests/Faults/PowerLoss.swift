import Foundation
import Synchronization

/// Records what SQLite writes to the files of a folder, and what of it would be left if the power failed.
///
/// A write is certain only once its file was synchronised. Before that, all of it may be lost, or any part: a disk orders
/// writes as it likes and keeps whole sectors of 512 bytes.
final class PowerLoss: Sendable {
  /// The files at one moment: what is certain of each, and the writes that are not.
  struct Moment {
    fileprivate var files: [String: File] = [:]
    /// What the program had reported as done by then.
    fileprivate(set) var progress = 0
    /// The state folder, all of whose writes may have reached the disk.
    fileprivate(set) var anchors: [String: Data] = [:]
  }

  fileprivate struct File {
    var durable: [UInt8]
    var pending: [StorageEvent.Operation] = []
  }

  private struct Recording {
    var now = Moment()
    var moments: [Moment] = []
  }

  private let vault: String
  private let anchorFolder: String
  private let recording: Mutex<Recording>

  /// Starts with files that are all durable.
  init(of trial: Trial) throws {
    vault = trial.path
    anchorFolder = trial.folder + "/state/anchors"
    var start = Recording()
    for suffix in ["", "-wal"] {
      guard let bytes = FileManager.default.contents(atPath: trial.path + suffix) else { continue }
      start.now.files[trial.path + suffix] = File(durable: Array(bytes))
    }
    recording = Mutex(start)
  }

  /// Goes on with a copy of what another recording saw last: nothing of that is any more certain now.
  init(of trial: Trial, after moment: Moment, of origin: Trial) {
    vault = trial.path
    anchorFolder = trial.folder + "/state/anchors"
    var start = Recording()
    for (path, file) in moment.files {
      start.now.files[trial.folder + path.dropFirst(origin.folder.count)] = file
    }
    recording = Mutex(start)
  }

  /// What would be left by now.
  var present: Moment {
    keepMoment()
    return recording.withLock { $0.now }
  }

  var moments: [Moment] { recording.withLock { $0.moments } }

  /// Notes that the program reported another step as done.
  func advance() {
    recording.withLock { $0.now.progress += 1 }
    keepMoment()
  }

  /// Takes in what SQLite is about to do.
  func note(_ event: StorageEvent) -> Int32 {
    guard isOfVault(event.path) else { return 0 }
    keepMoment()
    recording.withLock { recording in
      var file = recording.now.files[event.path] ?? File(durable: [])
      switch event.operation {
      case .map: return
      case .write, .truncate: file.pending.append(event.operation)
      case .synchronize:
        for operation in file.pending { file.durable.apply(operation) }
        file.pending = []
      case .delete:
        recording.now.files[event.path] = nil
        return
      }
      recording.now.files[event.path] = file
    }
    return 0
  }

  /// The copy that a restore works on is of no use after a loss of power.
  private func isOfVault(_ path: String) -> Bool { path == vault || path == vault + "-wal" }

  private func keepMoment() {
    let manager = FileManager.default
    var anchors: [String: Data] = [:]
    for name in (try? manager.contentsOfDirectory(atPath: anchorFolder)) ?? [] {
      anchors[name] = manager.contents(atPath: anchorFolder + "/" + name)
    }
    recording.withLock { recording in
      recording.now.anchors = anchors
      recording.moments.append(recording.now)
    }
  }
}

extension PowerLoss.Moment {
  /// Puts what is left after a loss of power at this moment into the place of a trial's files.
  ///
  /// Each uncertain write is kept as `survives` says, sector by sector.
  func restore(to trial: Trial, from origin: Trial, survives: () -> Bool) throws {
    let manager = FileManager.default
    for suffix in ["", "-wal", "-shm"] {
      try? manager.removeItem(atPath: trial.path + suffix)
    }
    for (path, file) in files {
      var bytes = file.durable
      for operation in file.pending {
        for part in operation.sectors where survives() { bytes.apply(part) }
      }
      let target = trial.folder + path.dropFirst(origin.folder.count)
      try Data(bytes).write(to: URL(fileURLWithPath: target))
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
    }
    for (name, contents) in anchors {
      let target = URL(fileURLWithPath: trial.folder + "/state/anchors/" + name)
      try contents.write(to: target)
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
    }
  }
}

extension StorageEvent.Operation {
  /// The parts of a write of which each may reach the disk without the others.
  fileprivate var sectors: [StorageEvent.Operation] {
    guard case .write(let offset, let bytes) = self else { return [self] }
    return stride(from: 0, to: bytes.count, by: 512).map { start in
      .write(offset: offset + start, bytes: Array(bytes[start..<min(start + 512, bytes.count)]))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func apply(_ operation: StorageEvent.Operation) {
    switch operation {
    case .write(let offset, let bytes):
      if count < offset + bytes.count {
        append(contentsOf: repeatElement(0, count: offset + bytes.count - count))
      }
      replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    case .truncate(let size):
      if count > size { removeLast(count - size) }
    case .synchronize, .delete, .map: break
    }
  }
}
