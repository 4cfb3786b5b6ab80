import Dispatch
import Glibc
import Synchronization
import VaultCrypto

/// Rows in work by several cores at once.
enum SharedWork {
  /// What the caller has to do itself.
  ///
  /// `@unchecked Sendable` holds because one thread does it, while the caller waits.
  private struct OwnWork: @unchecked Sendable {
    let work: () throws(VaultError) -> Void
  }

  /// How many threads can work at once.
  static let cores = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Cuts so many rows into parts, works on all of them, does `ownWork` meanwhile, and gives what came of the parts in
  /// order.
  ///
  /// - Throws: What `ownWork` throws, else the error of the first part that failed.
  static func perform<Result: Sendable>(
    parts count: Int,
    rowCount: Int,
    besides ownWork: @escaping () throws(VaultError) -> Void = {},
    _ body: @Sendable (_ part: Int, _ rows: Range<Int>) throws(VaultError) -> Result
  ) throws(VaultError) -> [Result] {
    let own = OwnWork(work: ownWork)
    let ownResult = Mutex(Swift.Result<Void, VaultError>.success(()))
    let parts = Mutex([Swift.Result<Result, VaultError>?](repeating: nil, count: count))
    // The caller's thread takes part, so this ends even where no other thread is to be had.
    DispatchQueue.concurrentPerform(iterations: count + 1) { iteration in
      guard iteration > 0 else {
        let result = Swift.Result { () throws(VaultError) in try own.work() }
        return ownResult.withLock { $0 = result }
      }
      let part = iteration - 1
      let rows = (rowCount * part / count)..<(rowCount * (part + 1) / count)
      let result = Swift.Result { () throws(VaultError) in try body(part, rows) }
      parts.withLock { $0[part] = result }
    }
    try ownResult.withLock { $0 }.get()
    var results: [Result] = []
    for part in parts.withLock({ $0 }) {
      if let part { results.append(try part.get()) }
    }
    return results
  }
}

extension Session {
  /// One cipher a part.
  ///
  /// `@unchecked Sendable` holds because each cipher is used by the part of its own number alone.
  private struct Ciphers: @unchecked Sendable {
    let byPart: [RowCipher]
  }

  /// Below this many rows a part, waking another thread costs more than it takes over.
  private static let rowsWorthAPart = 128

  /// Cuts so many rows into parts, works on each with a cipher of its own, and gives what came of them in order.
  ///
  /// The parts are worked on by as many cores as that pays for, and `ownWork`, which may use the session, is done meanwhile.
  /// This call waits for all; so a lock of the vault, which waits for this call, finds the ciphers idle.
  ///
  /// - Throws: What `ownWork` throws, else the error of the first part that failed.
  func shareAmongCores<Result: Sendable>(
    rowCount: Int,
    besides ownWork: @escaping () throws(VaultError) -> Void = {},
    _ body: @Sendable (Range<Int>, RowCipher) throws(VaultError) -> Result
  ) throws(VaultError) -> [Result] {
    // More parts than cores, so that none waits long for the others.
    let count = min(2 * SharedWork.cores, rowCount / Self.rowsWorthAPart)
    guard count > 1 else {
      try ownWork()
      return [try body(0..<rowCount, cipher)]
    }
    let ciphers: Ciphers
    do { ciphers = Ciphers(byPart: try assistants(count: count)) } catch {
      throw VaultError(translating: error)
    }
    return try SharedWork.perform(parts: count, rowCount: rowCount, besides: ownWork) {
      part,
      rows throws(VaultError) in
      try body(rows, ciphers.byPart[part])
    }
  }
}
