import CSQLite
import Glibc

extension DatabaseError {
  /// Translates a result code that stands for a failure.
  init(resultCode: Int32) {
    self.init(Self.code(of: resultCode), extendedCode: resultCode)
  }

  /// Translates a result code just returned for a connection.
  ///
  /// A full disk that is met while synchronising, or while growing the shared memory, is a mere I/O error to SQLite;
  /// the system's own number, which SQLite keeps, tells. A disk that fails to read is a corrupt database to it; that
  /// number tells too, and nobody should put a backup in the place of a sound file.
  init(resultCode: Int32, from database: OpaquePointer?) {
    let isIO = resultCode & 0xff == SQLITE_IOERR
    let cause = isIO ? unsafe sqlite3_system_errno(database) : 0
    let isFull = cause == ENOSPC || cause == EDQUOT
    let isCorrupt = resultCode & 0xff == SQLITE_CORRUPT
    let isUnread = isCorrupt ? unsafe csqlite_met_failed_disk(database) != 0 : false
    let code: Code = isFull ? .full : isUnread ? .io : Self.code(of: resultCode)
    self.init(code, extendedCode: resultCode)
  }

  /// The low byte of an extended result code is its family.
  private static func code(of resultCode: Int32) -> Code {
    if resultCode == outOfMemoryInIO { return .outOfMemory }
    if sharedMemoryFailures.contains(resultCode) { return .noSharedMemory }
    switch resultCode & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
    case SQLITE_FULL: return .full
    case SQLITE_READONLY: return .readOnly
    case SQLITE_NOTADB: return .notADatabase
    case SQLITE_CORRUPT: return .corrupt
    case SQLITE_CANTOPEN, SQLITE_PERM: return .cannotOpen
    case SQLITE_TOOBIG: return .tooBig
    case SQLITE_NOMEM: return .outOfMemory
    case SQLITE_IOERR: return .io
    case SQLITE_MISUSE: return .misuse
    default: return .other
    }
  }

  /// SQLITE_IOERR_NOMEM, a macro of a form that Swift does not import.
  private static let outOfMemoryInIO = SQLITE_IOERR | (12 << 8)

  /// SQLITE_IOERR_SHMOPEN, _SHMSIZE, _SHMLOCK and _SHMMAP.
  private static let sharedMemoryFailures = [18, 19, 20, 21].map { SQLITE_IOERR | ($0 << 8) }
}
