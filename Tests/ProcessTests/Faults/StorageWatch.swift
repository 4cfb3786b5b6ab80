import CSQLite
import FaultyStorage
import Synchronization

/// What SQLite is about to do to a file of a folder that is watched.
struct StorageEvent {
  enum Operation {
    case write(offset: Int, bytes: [UInt8])
    case truncate(size: Int)
    case synchronize
    case delete
    case map
  }

  let path: String
  let operation: Operation
}

/// Sees everything that SQLite does in this process to the files of one folder, and can refuse it.
///
/// It ends with its last reference. Tests that run at once have folders of their own.
final class StorageWatch: Sendable {
  typealias Handler = @Sendable (StorageEvent) -> Int32

  private static let handlers = Mutex<[String: Handler]>([:])
  private static let isInstalled: Bool = {
    let result = unsafe faulty_storage_install { operation, path, offset, bytes, count in
      guard let path = unsafe path.map({ unsafe String(cString: $0) }),
        let handler = StorageWatch.handler(of: path)
      else { return SQLITE_OK }
      switch Int(operation) {
      case FAULTY_STORAGE_WRITE:
        let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        return handler(.init(path: path, operation: .write(offset: Int(offset), bytes: bytes)))
      case FAULTY_STORAGE_TRUNCATE:
        return handler(.init(path: path, operation: .truncate(size: Int(offset))))
      case FAULTY_STORAGE_SYNC: return handler(.init(path: path, operation: .synchronize))
      case FAULTY_STORAGE_DELETE: return handler(.init(path: path, operation: .delete))
      default: return handler(.init(path: path, operation: .map))
      }
    }
    return result == SQLITE_OK
  }()

  private let folder: String

  /// Puts the layer below SQLite; what was opened before is not seen.
  static func install() throws {
    guard isInstalled else {
      throw UnexpectedEnd(description: "SQLite takes no other file system")
    }
  }

  init(_ folder: String, _ handler: @escaping Handler) throws {
    try Self.install()
    self.folder = folder + "/"
    Self.handlers.withLock { $0[folder + "/"] = handler }
  }

  deinit {
    Self.handlers.withLock { $0[folder] = nil }
  }

  private static func handler(of path: String) -> Handler? {
    handlers.withLock { handlers in handlers.first { path.hasPrefix($0.key) }?.value }
  }
}

/// Lets the storage of a folder fail at one write, truncation, synchronisation or removal.
final class StorageFault: Sendable {
  enum Kind: CaseIterable {
    /// The one operation fails, and the program goes on.
    case once
    /// Nothing is written any more from there on, as if the program had been killed.
    case forGood
    /// Nothing is written any more from there on since the disk is full.
    case full
  }

  private let count = Mutex(0)
  private let limit: Int
  private let kind: Kind

  init(_ kind: Kind, at limit: Int) {
    self.kind = kind
    self.limit = limit
  }

  /// Whether the operation that was to fail came.
  var hasStruck: Bool { count.withLock { $0 >= limit } }

  func answer(_ event: StorageEvent) -> Int32 {
    let code: Int32
    switch event.operation {
    case .write: code = kind == .full ? SQLITE_FULL : SQLITE_IOERR | 3 << 8
    case .truncate: code = SQLITE_IOERR | 6 << 8
    case .synchronize: code = SQLITE_IOERR | 4 << 8
    case .delete: code = SQLITE_IOERR | 10 << 8
    case .map: return SQLITE_OK
    }
    // A full disk takes everything but more bytes.
    if kind == .full, code != SQLITE_FULL { return SQLITE_OK }
    let number = count.withLock { count in
      count += 1
      return count
    }
    return number == limit || number > limit && kind != .once ? code : SQLITE_OK
  }
}
