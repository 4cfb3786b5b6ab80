import SecretVault

/// The text that `security dump-keychain -d` writes on macOS.
///
/// | of an entry | becomes |
/// |---|---|
/// | `svce` of a generic password; `srvr`, `port` and `path` of an internet password, as `HOST:PORT/PATH` | service |
/// | `acct` | account |
/// | `0x00000007`, the name | label |
/// | `icmt` | comment |
/// | `desc` | description |
/// | `data:` | secret |
/// | keys and certificates, entries without data | refused |
///
/// Protocol, dates, creator and type are not kept.
struct KeychainImport {
  private var reader = KeychainLines()
  private var lines = LineCounter()

  /// Whether a text begins as such a dump does.
  static func recognizes(_ text: Span<UInt8>) -> Bool { text.has("keychain: \"", at: 0) }

  /// Reads all rows.
  ///
  /// - Throws: The first ``ImportFlaw``, or an error where no locked memory is left.
  static func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    var dump = KeychainImport()
    var rows: [ImportRow] = []
    while let entry = try dump.reader.entry(in: text) {
      rows.append(try dump.row(of: entry, in: text))
    }
    return rows
  }

  private mutating func row(of entry: KeychainEntry, in text: Span<UInt8>) throws -> ImportRow {
    let line = lines.line(at: entry.offset, in: text)
    func bytes(_ name: StaticString) -> [UInt8] {
      entry.attribute(name, in: text)?.bytes(in: text) ?? []
    }
    let isInternet = entry.kind?.equals("inet", in: text) ?? false
    let isPassword = isInternet || entry.kind?.equals("genp", in: text) ?? false
    let service =
      isInternet ? Self.address(bytes("srvr"), bytes("port"), bytes("path")) : bytes("svce")
    var row = ImportRow(line: line, service: service, account: bytes("acct"))
    row.secret = try entry.data?.secret(in: text)
    let label = bytes("0x00000007")
    if !label.isEmpty { row.item.label = AttributeValue(imported: label) }
    let comment = bytes("icmt")
    if !comment.isEmpty { row.item.comment = AttributeValue(imported: comment) }
    let description = bytes("desc")
    if !description.isEmpty { row.item.itemDescription = AttributeValue(imported: description) }
    if !isPassword {
      row.fate = .refuse("it is no password, but a key, a certificate or another kind")
    } else if row.secret == nil {
      row.fate = .refuse("the dump has no data of it; make it with security dump-keychain -d")
    }
    return row
  }

  private static func address(_ host: [UInt8], _ port: [UInt8], _ path: [UInt8]) -> [UInt8] {
    let number = port.suffix(2).reduce(0) { $0 << 8 | UInt32($1) }
    let suffix = number > 0 ? Array(":\(number)".utf8) : []
    let needsSlash = !path.isEmpty && path.first != UInt8(ascii: "/")
    return host + suffix + (needsSlash ? [UInt8(ascii: "/")] : []) + path
  }
}

/// One entry of a dump, by its places in the text.
struct KeychainEntry {
  /// Where it begins.
  let offset: Int
  /// What stands after `class:`.
  var kind: EncodedValue?
  var attributes: [(name: Range<Int>, value: EncodedValue)] = []
  /// What stands below `data:`; `nil` where the dump has none.
  var data: EncodedValue?

  /// The attribute of a name; `nil` where there is none, or it is `<NULL>`.
  func attribute(_ name: StaticString, in text: Span<UInt8>) -> EncodedValue? {
    attributes.first { text.extracting($0.name).equals(name) }?.value
  }
}
