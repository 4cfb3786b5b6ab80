import Synchronization
import VaultDatabase

/// The sessions of a store: as many connections as threads use it at once, kept for the next.
///
/// `@unchecked Sendable` holds because a session that is handed out is in no other place, so one thread has
/// it at a time.
final class SessionPool: @unchecked Sendable {
  private let database: any Database
  private let access: DatabaseAccess
  private let location: VaultLocation
  private let cache = PageCache()
  /// The sessions that are not lent, or `nil` once the pool is closed.
  private let idle = Mutex<[Handle]?>([])
  /// More connections than cores can use at once are closed when they come back.
  private static let keptCount = 8

  /// A session that waits for its next user.
  ///
  /// `@unchecked Sendable` holds because it is reached through the mutex alone, and leaves it when it is handed out.
  private struct Handle: @unchecked Sendable {
    let session: Session
  }

  init(_ database: any Database, access: DatabaseAccess, location: VaultLocation) {
    self.database = database
    self.access = access
    self.location = location
  }

  /// Lends a session for the length of a call.
  func withSession<Result: ~Copyable>(
    _ body: (Session) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let session = try take()
    defer { giveBack(session) }
    return try body(session)
  }

  /// Lends a session without keyed contexts, for work that a lock of the vault does not wait for.
  func withUnkeyedSession<Result: ~Copyable>(
    _ body: (Session) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let session = try take(isKeyed: false)
    defer {
      session.forgetAll()
      giveBack(session)
    }
    return try body(session)
  }

  /// Does something to every session while none is lent.
  func forEachIdle(_ body: (Session) -> Void) {
    idle.withLock { for handle in $0 ?? [] { body(handle.session) } }
  }

  /// Whether sessions are still to be had.
  var isOpen: Bool { idle.withLock { $0 != nil } }

  /// Closes every session, those that are lent when they come back; no other is made.
  func close() {
    let handles = idle.withLock { $0.take() }
    for handle in handles ?? [] {
      handle.session.forgetAll()
      handle.session.connection.close()
    }
  }

  /// Makes a session that is its owner's alone.
  func makeSession() throws(VaultError) -> Session {
    try makeSession(PageCache())
  }

  private func take(isKeyed: Bool = true) throws(VaultError) -> Session {
    let known = idle.withLock { idle in
      let handle = idle?.popLast()
      // Before anyone else can look: a lock of the vault finds the session here, or without keys.
      if !isKeyed { handle?.session.forgetAll() }
      return handle
    }
    if let known { return known.session }
    return try makeSession(cache)
  }

  private func makeSession(_ cache: PageCache) throws(VaultError) -> Session {
    guard idle.withLock({ $0 != nil }) else {
      throw VaultError(.locked, "the store was closed; open the vault again")
    }
    do {
      return try Session(try database.connect(access), cache: cache)
    } catch let error as DatabaseError where error.code == .corrupt {
      // So far only the structure was looked at.
      throw VaultError(.corruptHeader, cause: error)
    } catch let error as DatabaseError where error.code == .cannotOpen {
      // The file may have gone, or become a link, since it was checked; or its mode is for nobody.
      _ = try location.check()
      try location.checkIsReadable()
      throw VaultError(translating: error)
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func giveBack(_ session: Session) {
    session.connection.rollback()
    let isKept = idle.withLock { idle in
      guard let count = idle?.count, count < Self.keptCount else { return false }
      idle?.append(Handle(session: session))
      return true
    }
    if !isKept { session.connection.close() }
  }
}
