import TestSupport
import VaultFormat

extension RawDatabase {
  /// The one blob of a query, whose column is given by name.
  func blob(_ column: String, from rest: String) throws -> [UInt8] {
    guard let row = try blobs(column, from: rest).first else { throw Failure(message: rest) }
    return row
  }

  /// The blobs of a column.
  func blobs(_ column: String, from rest: String) throws -> [[UInt8]] {
    try rows("SELECT hex(\(column)) FROM \(rest)").map { Array(hex: $0) }
  }
}

extension RawDatabase {
  /// The claims of all groups in the order of the file.
  func claims() throws -> [Claim] {
    let columns = """
      hex(item_id), kind, class, flags, hex(device_id), version, hex(lookup), hex(rev), box
      """
    return try rows("SELECT \(columns) FROM claim").map { row in
      let fields = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      return try Claim(
        itemID: FixedBytes(Array(hex: fields[0]).span),
        kind: UInt8(fields[1]) ?? 0,
        accessibility: UInt8(fields[2]) ?? 0,
        flags: ClaimFlags(rawValue: UInt8(fields[3]) ?? 0),
        deviceID: FixedBytes(Array(hex: fields[4]).span),
        version: UInt64(fields[5]) ?? 0,
        lookup: FixedBytes(Array(hex: fields[6]).span),
        rev: FixedBytes(Array(hex: fields[7]).span),
        box: UInt64(fields[8]) ?? 0
      )
    }
  }
}

extension [UInt8] {
  /// The bytes as a literal of SQL.
  var sql: String {
    let digits = map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }
    return "x'" + digits.joined() + "'"
  }
}

extension TemporaryVault {
  /// Edits the file as someone who has SQLite and no key; no store may be open unless the test is about it.
  func edit(_ statements: String) throws {
    try RawDatabase(path).execute(statements)
  }

  /// Edits rows behind the back of types and constraints, then puts the schema back as it was.
  func editWithoutConstraints(_ statements: String) throws {
    try RawDatabase.editWithoutConstraints(path, statements)
  }
}
