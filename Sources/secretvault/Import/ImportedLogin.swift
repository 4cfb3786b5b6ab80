import SecretVault

/// A login of another password store, and the items that it becomes.
///
/// | of the login | becomes |
/// |---|---|
/// | host, port and path of the first address, as given; without an address the title | service |
/// | user name | account |
/// | title | label |
/// | notes | comment |
/// | password | secret |
/// | an address with more than host, port and path, and every further address | a line `URL: …` of the comment |
/// | one-time code, hidden and other fields, if not empty | items of their own: the same service, account `USERNAME#FIELD` |
///
/// Folders, tags, icons and dates are not kept.
struct ImportedLogin {
  let line: Int
  var title = EncodedValue.empty
  var account = EncodedValue.empty
  var password = EncodedValue.empty
  var notes = EncodedValue.empty
  var addresses: [EncodedValue] = []
  /// What has an item of its own, by the name of its field.
  var fields: [(name: [UInt8], value: EncodedValue)] = []
  /// What of the login cannot be kept, by the name of its field.
  var leftovers: [(name: [UInt8], fate: ImportRow.Fate)] = []
  /// Whether there is an item for the password, be it empty.
  var hasPassword = true

  /// Begins a login on a line.
  init(line: Int) { self.line = line }

  /// The name of the field with the key of one-time codes.
  static let oneTimeCode = Array("TOTP".utf8)

  /// The most fields and leftovers that a login may have; each repeats the names, so the file must not set their number.
  private static let fieldLimit = 1000

  /// Makes the items.
  ///
  /// - Throws: An ``ImportFlaw`` for too many fields, or an error where no locked memory is left.
  func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    if fields.count + leftovers.count > Self.fieldLimit {
      let text = "a login has more than \(Self.fieldLimit) fields"
      throw ImportFlaw(text, at: fields.last?.value.range.lowerBound ?? title.range.lowerBound)
    }
    let title = title.bytes(in: text)
    let account = account.bytes(in: text)
    let addresses = addresses.map { $0.bytes(in: text) }.filter { !$0.isEmpty }
    let place = addresses.first.map { Array(Self.place(of: $0)) } ?? []
    let service = place.isEmpty ? title : place
    let fate: ImportRow.Fate =
      service.isEmpty ? .refuse("it has neither a title nor an address; give it one") : .store

    func row(_ field: [UInt8], _ secret: SecretBytes?, _ fate: ImportRow.Fate) -> ImportRow {
      let name = account + field
      var row = ImportRow(line: line, service: service, account: name, secret: secret)
      if !title.isEmpty { row.item.label = AttributeValue(imported: title) }
      row.fate = fate
      return row
    }

    // What is too long to be a name is refused once, with the fields that would repeat it.
    if [title, service, account].contains(where: { $0.count > ImportRow.valueLimit }) {
      return [row([], nil, .refuse(ImportRow.tooLong))]
    }
    var rows: [ImportRow] = []
    if hasPassword {
      var main = row([], try password.secret(in: text), fate)
      let comment = comment(addresses, in: text)
      if !comment.isEmpty { main.item.comment = AttributeValue(imported: comment) }
      rows.append(main)
    }
    let mark = [UInt8(ascii: "#")]
    for (name, value) in fields where !value.isEmpty(in: text) {
      rows.append(row(mark + name, try value.secret(in: text), fate))
    }
    return rows + leftovers.map { name, fate in row(mark + name, nil, fate) }
  }

  private func comment(_ addresses: [[UInt8]], in text: Span<UInt8>) -> [UInt8] {
    var lines = notes.isEmpty(in: text) ? [] : [notes.bytes(in: text)]
    for (index, address) in addresses.enumerated()
    where index > 0 || !Self.isWhole(Self.place(of: address), of: address) {
      lines.append(Array("URL: ".utf8) + address)
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}

extension ImportedLogin {
  /// The host, port and path of a URL (RFC 3986, section 3); what has no scheme and no `//` is taken whole.
  fileprivate static func place(of address: [UInt8]) -> ArraySlice<UInt8> {
    let scheme = address.prefix { isSchemeCharacter($0) }
    guard !scheme.isEmpty, address[scheme.endIndex...].starts(with: "://".utf8) else {
      return address[...]
    }
    let rest = address[(scheme.endIndex + 3)...].prefix {
      $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return rest }
    return rest[(at + 1)...]
  }

  /// Whether a place tells all that an address does but for `http` or `https`.
  fileprivate static func isWhole(_ place: ArraySlice<UInt8>, of address: [UInt8]) -> Bool {
    ["", "http://", "https://"].contains { address.elementsEqual(Array($0.utf8) + place) }
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "+-.".utf8.contains(byte)
    }
  }
}
