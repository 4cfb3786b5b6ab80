import CSQLite

/// A statement that is prepared when it is first used and then kept; its connection frees the compiled form.
@safe final class Statement {
  private let text: StaticString
  private var handle: OpaquePointer?

  init(_ text: StaticString) {
    self.text = text
  }

  /// The compiled form, made now if this is the first use.
  func prepared(for database: OpaquePointer) throws(DatabaseError) -> OpaquePointer {
    if let handle = unsafe handle { return unsafe handle }
    var compiled: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = unsafe text.withCharacters { characters, count in
      unsafe sqlite3_prepare_v3(database, characters, count, flags, &compiled, nil)
    }
    guard result == SQLITE_OK, let compiled = unsafe compiled else {
      throw unsafe DatabaseError(resultCode: result, from: database)
    }
    unsafe handle = compiled
    return unsafe compiled
  }
}

extension StaticString {
  /// Lends the text as C characters, with their count; a zero byte follows them.
  func withCharacters<Result>(
    _ body: (UnsafePointer<CChar>, Int32) -> Result
  ) -> Result {
    let characters = unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    return unsafe body(characters, Int32(truncatingIfNeeded: utf8CodeUnitCount))
  }
}
