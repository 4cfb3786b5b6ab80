import SecretVault

/// The unencrypted JSON export of Bitwarden.
///
/// | of the export | becomes |
/// |---|---|
/// | a login | as ``ImportedLogin`` says; `totp` is the field `TOTP` |
/// | a secure note | an item with the title as service, no account, and the note as secret |
/// | a card, an identity, an SSH key | the same for its notes, if any, and an item with the account `#MEMBER` for each member that is not empty |
/// | custom fields of all of them | items with the account `USERNAME#FIELD`; linked fields have nothing of their own |
/// | passkeys | refused |
/// | earlier passwords | skipped |
enum BitwardenImport {
  /// Whether an object is such an export, encrypted or not.
  static func recognizes(_ document: JSONMembers, in text: Span<UInt8>) throws(ImportFlaw) -> Bool {
    try document.node("encrypted", in: text) != nil
  }

  /// Reads all rows.
  ///
  /// - Throws: An ``ImportFlaw``, also for an encrypted export, or an error where no locked memory is left.
  static func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    let document = try JSONMembers(JSONReader.document(in: text))
    if try document.bool("encrypted", in: text) ?? false {
      throw ImportFlaw("the export is encrypted; export it again as JSON that is not", at: 0)
    }
    guard try document.node("items", in: text) != nil else {
      throw ImportFlaw("the export has no items", at: document.offset)
    }
    var lines = LineCounter()
    return try document.elements("items", in: text).flatMap { node in
      let line = lines.line(at: node.offset, in: text)
      return try login(JSONMembers(node), line: line, in: text).rows(in: text)
    }
  }

  private static func login(
    _ item: JSONMembers,
    line: Int,
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> ImportedLogin {
    var login = ImportedLogin(line: line)
    login.title = try item.string("name", in: text) ?? .empty
    let notes = try item.string("notes", in: text) ?? .empty
    switch try item.number("type", as: UInt8.self, in: text) {
    case 1:
      login.notes = notes
      if let members = try item.object("login", in: text) {
        try readLogin(members, into: &login, in: text)
      }
    case 2: login.password = notes
    case 3: try readMembers(item.object("card", in: text), notes, into: &login, in: text)
    case 4: try readMembers(item.object("identity", in: text), notes, into: &login, in: text)
    case 5: try readMembers(item.object("sshKey", in: text), notes, into: &login, in: text)
    default: throw ImportFlaw("the kind of item is not known", at: item.offset)
    }
    try readFields(item.elements("fields", in: text), into: &login, in: text)
    if try !item.elements("passwordHistory", in: text).isEmpty {
      login.leftovers.append(
        (Array("passwordHistory".utf8), .skip("earlier passwords are not imported"))
      )
    }
    return login
  }

  private static func readLogin(
    _ members: JSONMembers,
    into login: inout ImportedLogin,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    login.account = try members.string("username", in: text) ?? .empty
    login.password = try members.string("password", in: text) ?? .empty
    for node in try members.elements("uris", in: text) {
      if let address = try JSONMembers(node).string("uri", in: text) {
        login.addresses.append(address)
      }
    }
    if let code = try members.string("totp", in: text) {
      login.fields.append((ImportedLogin.oneTimeCode, code))
    }
    if try !members.elements("fido2Credentials", in: text).isEmpty {
      login.leftovers.append((Array("passkey".utf8), .refuse("a passkey cannot be imported")))
    }
  }

  /// Gives each member that is a string an item of its own, and the notes one where there are any.
  private static func readMembers(
    _ members: JSONMembers?,
    _ notes: EncodedValue,
    into login: inout ImportedLogin,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    for (name, node) in members?.all ?? [] {
      switch node.value {
      case .null: break
      case .string(let value): login.fields.append((name.bytes(in: text), value))
      default: throw ImportFlaw("a member is no text", at: node.offset)
      }
    }
    login.password = notes
    login.hasPassword = !notes.isEmpty(in: text) || login.fields.isEmpty
  }

  private static func readFields(
    _ fields: [JSONNode],
    into login: inout ImportedLogin,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    for node in fields {
      let field = try JSONMembers(node)
      guard let value = try field.string("value", in: text) else { continue }
      let name = try field.string("name", in: text) ?? .empty
      login.fields.append((name.bytes(in: text), value))
    }
  }
}
