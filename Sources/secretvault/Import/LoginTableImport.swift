import SecretVault

/// Logins in comma-separated values, whose first record names the columns: KeePassXC and 1Password.
///
/// | column, in any order and case | becomes |
/// |---|---|
/// | Title, Username, Password, Notes | as ``ImportedLogin`` says |
/// | URL, of 1Password also URLs and Website | the address |
/// | TOTP of KeePassXC, OTPAuth of 1Password | an item with the account `USERNAME#TOTP` |
/// | Group, Icon, Last Modified, Created of KeePassXC; Favorite, Archived, Tags, Type of 1Password | not kept |
/// | any other | an item with the account `USERNAME#COLUMN`, where it is not empty |
struct LoginTableImport {
  private enum Column: Equatable {
    case title
    case account
    case password
    case address
    case notes
    case oneTimeCode
    case ignored
    case other([UInt8])
  }

  private let columns: [String: Column]
  private let required: [String]

  /// Tables that `keepassxc-cli export --format csv` makes.
  static let keePassXC = LoginTableImport(
    further: [
      "totp": .oneTimeCode, "group": .ignored, "icon": .ignored, "last modified": .ignored,
      "created": .ignored,
    ],
    required: ["group", "title", "username", "password", "url", "notes"]
  )

  /// Tables that 1Password makes.
  static let onePassword = LoginTableImport(
    further: [
      "urls": .address, "website": .address, "otpauth": .oneTimeCode,
      "one-time password": .oneTimeCode, "favorite": .ignored, "archived": .ignored,
      "tags": .ignored, "type": .ignored,
    ],
    required: ["title", "username", "password"]
  )

  private init(further: [String: Column], required: [String]) {
    let common: [String: Column] = [
      "title": .title, "username": .account, "password": .password, "url": .address,
      "notes": .notes,
    ]
    columns = common.merging(further) { $1 }
    self.required = required
  }

  /// Whether the first record names the columns of such a table.
  func recognizes(_ text: Span<UInt8>) -> Bool {
    var reader = CSVReader()
    guard let header = try? reader.record(in: text) else { return false }
    let names = header.fields.map { Self.key($0, in: text) }
    return required.allSatisfy(names.contains)
  }

  /// Reads all rows.
  ///
  /// - Throws: The first ``ImportFlaw``, or an error where no locked memory is left.
  func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    var reader = CSVReader()
    var lines = LineCounter()
    guard let header = try reader.record(in: text) else {
      throw ImportFlaw("the first line does not name the columns", at: 0)
    }
    let roles = try roles(of: header.fields, in: text)
    var rows: [ImportRow] = []
    while let (offset, fields) = try reader.record(in: text) {
      guard fields.count == roles.count else {
        throw ImportFlaw("there are more or fewer fields than columns", at: offset)
      }
      var login = ImportedLogin(line: lines.line(at: offset, in: text))
      for (role, field) in zip(roles, fields) { Self.put(field, as: role, into: &login) }
      rows += try login.rows(in: text)
    }
    return rows
  }

  private func roles(
    of header: [EncodedValue],
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> [Column] {
    let names = header.map { Self.key($0, in: text) }
    guard Set(names).count == names.count else {
      throw ImportFlaw("two columns have one name", at: 0)
    }
    guard required.allSatisfy(names.contains) else {
      throw ImportFlaw("the first line lacks one of \(required.joined(separator: ", "))", at: 0)
    }
    return zip(header, names).map { field, name in
      columns[name] ?? .other(field.bytes(in: text))
    }
  }

  private static func put(_ field: EncodedValue, as role: Column, into login: inout ImportedLogin) {
    switch role {
    case .title: login.title = field
    case .account: login.account = field
    case .password: login.password = field
    case .address: login.addresses.append(field)
    case .notes: login.notes = field
    case .oneTimeCode: login.fields.append((ImportedLogin.oneTimeCode, field))
    case .other(let name): login.fields.append((name, field))
    case .ignored: break
    }
  }

  /// The name of a column, without regard to case.
  private static func key(_ field: EncodedValue, in text: Span<UInt8>) -> String {
    String(decoding: field.bytes(in: text), as: UTF8.self).lowercased()
  }
}
