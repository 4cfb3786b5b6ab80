import CSQLite
import Glibc

/// The least that an encrypted store in one SQLite file can do: a row of lookup, sealed attributes and
/// sealed value, without manifest, objects or copies that the two libraries do not force.
@safe
final class Floor: Subject {
  let path: String
  var cipher: FloorCipher
  var statements: FloorStatements
  let lookup = UnsafeMutablePointer<UInt8>.allocate(
    capacity: FloorCipher.lookupByteCount
  )
  let attributes = UnsafeMutablePointer<UInt8>.allocate(capacity: attributesCapacity)
  let sealedAttributes = UnsafeMutablePointer<UInt8>.allocate(capacity: attributesCapacity)
  let sealedValue: UnsafeMutablePointer<UInt8>
  let plaintext: UnsafeMutablePointer<UInt8>
  private var plaintextCount = 0
  /// How often the keys were replaced.
  var generation: UInt8 = 0

  private static let attributesCapacity = 512

  init(folder: String, shape: Shape) throws(BenchmarkError) {
    path = folder + "/floor.db"
    cipher = try FloorCipher()
    statements = try FloorStatements(path: path)
    let capacity = shape.valueByteCount + FloorCipher.overheadByteCount
    unsafe sealedValue = .allocate(capacity: capacity)
    unsafe plaintext = .allocate(capacity: capacity)
  }

  deinit {
    unsafe lookup.deallocate()
    unsafe attributes.deallocate()
    unsafe sealedAttributes.deallocate()
    unsafe sealedValue.deallocate()
    unsafe plaintext.deallocate()
  }

  func value(_ bytes: [UInt8]) -> [UInt8] { bytes }

  func put(_ entry: Entry, _ value: [UInt8]) throws(BenchmarkError) {
    unsafe try cipher.lookup(of: entry.bytes, into: lookup)
    let attributesCount = unsafe try cipher.seal(
      attributes,
      count: Int32(encode(entry.bytes)),
      lookup: lookup,
      into: sealedAttributes
    )
    let valueCount = try seal(value)
    let put = unsafe statements.put
    unsafe sqlite3_bind_blob(put, 1, lookup, Int32(FloorCipher.lookupByteCount), nil)
    unsafe sqlite3_bind_blob(put, 2, sealedAttributes, attributesCount, nil)
    unsafe sqlite3_bind_blob(put, 3, sealedValue, valueCount, nil)
    unsafe try statements.run(put)
  }

  func putTogether(
    _ entries: ArraySlice<Entry>,
    _ values: [[UInt8]]
  ) throws(BenchmarkError) {
    try statements.inTransaction { () throws(BenchmarkError) in
      for (entry, value) in zip(entries, values) { try put(entry, value) }
    }
  }

  func read(_ entry: Entry) throws(BenchmarkError) -> Bool {
    unsafe try cipher.lookup(of: entry.bytes, into: lookup)
    let get = unsafe statements.get
    unsafe sqlite3_bind_blob(get, 1, lookup, Int32(FloorCipher.lookupByteCount), nil)
    defer { unsafe sqlite3_reset(get) }
    let code = unsafe sqlite3_step(get)
    guard code == SQLITE_ROW else {
      guard code == SQLITE_DONE else { throw .database(code) }
      return false
    }
    plaintextCount = Int(unsafe try open(get, column: 0, lookup: lookup, into: plaintext))
    return true
  }

  func lastReadEquals(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.count == plaintextCount && memcmp(plaintext, bytes, plaintextCount) == 0
  }

  func list() throws(BenchmarkError) -> Int {
    var count = 0
    try forEachAttributes { _ in count += 1 }
    return count
  }

  func forgetListing() {}

  func listedNames() throws(BenchmarkError) -> [Names] {
    var listed: [Names] = []
    try forEachAttributes { count in listed.append(decode(count)) }
    return listed
  }

  func remove(_ entry: Entry) throws(BenchmarkError) -> Bool {
    unsafe try cipher.lookup(of: entry.bytes, into: lookup)
    let remove = unsafe statements.remove
    unsafe sqlite3_bind_blob(remove, 1, lookup, Int32(FloorCipher.lookupByteCount), nil)
    unsafe try statements.run(remove)
    return statements.changedCount == 1
  }

  func settle() throws(BenchmarkError) { try statements.emptyLog() }

  func open() throws(BenchmarkError) {
    cipher = try FloorCipher(generation: generation)
    statements = try FloorStatements(path: path)
  }

  func close() throws(BenchmarkError) { try statements.close() }

  private func forEachAttributes(_ body: (Int32) -> Void) throws(BenchmarkError) {
    let list = unsafe statements.list
    defer { unsafe sqlite3_reset(list) }
    while true {
      let code = unsafe sqlite3_step(list)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw .database(code) }
        return
      }
      guard let lookup = unsafe sqlite3_column_blob(list, 0) else { throw .cryptography }
      unsafe try body(
        open(
          list,
          column: 1,
          lookup: lookup.assumingMemoryBound(to: UInt8.self),
          into: attributes
        )
      )
    }
  }

  private func seal(_ value: [UInt8]) throws(BenchmarkError) -> Int32 {
    unsafe try value.withUnsafeBufferPointer { bytes throws(BenchmarkError) in
      guard let base = bytes.baseAddress else { throw .cryptography }
      return unsafe try cipher.seal(
        base,
        count: Int32(bytes.count),
        lookup: lookup,
        into: sealedValue
      )
    }
  }

  private func open(
    _ row: OpaquePointer,
    column: Int32,
    lookup: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) throws(BenchmarkError) -> Int32 {
    guard let blob = unsafe sqlite3_column_blob(row, column) else { throw .cryptography }
    return unsafe try cipher.open(
      blob.assumingMemoryBound(to: UInt8.self),
      count: sqlite3_column_bytes(row, column),
      lookup: lookup,
      into: output
    )
  }
}

extension Floor {
  private static let timestamp: Int64 = 1_700_000_000

  /// Writes three strings with their lengths and two time stamps, and returns how many bytes that are.
  private func encode(_ names: Names) -> Int {
    var end = 0
    for part in [names.service, names.account, names.label] {
      unsafe attributes[end] = UInt8(truncatingIfNeeded: part.count)
      unsafe (attributes + end + 1).update(from: part, count: part.count)
      end += 1 + part.count
    }
    for _ in 0..<2 {
      unsafe UnsafeMutableRawPointer(attributes + end)
        .storeBytes(of: Self.timestamp, as: Int64.self)
      end += MemoryLayout<Int64>.size
    }
    return end
  }

  func decode(_ count: Int32) -> Names {
    var parts: [[UInt8]] = []
    var start = 0
    while parts.count < 3, start < Int(count) {
      let length = unsafe Int(attributes[start])
      let bytes = unsafe UnsafeBufferPointer(start: attributes + start + 1, count: length)
      parts.append(unsafe Array(bytes))
      start += 1 + length
    }
    return Names(service: parts[0], account: parts[1], label: parts[2])
  }
}
