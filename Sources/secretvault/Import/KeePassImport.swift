import SecretVault

/// KeePass 2 XML, as `keepassxc-cli export` makes it.
///
/// | of an entry | becomes |
/// |---|---|
/// | Title, UserName, Password, URL, Notes | as ``ImportedLogin`` says |
/// | `otp` | the field `TOTP` |
/// | every other string that is not empty | an item with the account `USERNAME#KEY` |
/// | attachments | refused |
/// | earlier versions | skipped |
enum KeePassImport {
  /// Whether the root element is that of such a file.
  static func recognizes(_ root: XMLElement, in text: Span<UInt8>) -> Bool {
    root.isCalled("KeePassFile", in: text)
  }

  /// Reads all rows.
  ///
  /// - Throws: The first ``ImportFlaw``, or an error where no locked memory is left.
  static func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    let document = try XMLReader.document(in: text)
    guard recognizes(document, in: text), let root = document.child("Root", in: text) else {
      throw ImportFlaw("the XML is not that of KeePass", at: document.offset)
    }
    var lines = LineCounter()
    return try rows(below: root, &lines, in: text)
  }

  private static func rows(
    below group: XMLElement,
    _ lines: inout LineCounter,
    in text: Span<UInt8>
  ) throws -> [ImportRow] {
    var rows: [ImportRow] = []
    for child in group.children {
      if child.isCalled("Group", in: text) {
        rows += try self.rows(below: child, &lines, in: text)
      } else if child.isCalled("Entry", in: text) {
        let line = lines.line(at: child.offset, in: text)
        rows += try login(child, line: line, in: text).rows(in: text)
      }
    }
    return rows
  }

  private static func login(
    _ entry: XMLElement,
    line: Int,
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> ImportedLogin {
    var login = ImportedLogin(line: line)
    for child in entry.children {
      if child.isCalled("String", in: text) {
        try read(child, into: &login, in: text)
      } else if child.isCalled("Binary", in: text) {
        let name = child.child("Key", in: text)?.content ?? .empty
        login.leftovers.append(
          (name.bytes(in: text), .refuse("an attachment cannot be imported; save it and set it"))
        )
      } else if child.isCalled("History", in: text), !child.children.isEmpty {
        login.leftovers.append(
          (Array("History".utf8), .skip("earlier versions are not imported"))
        )
      }
    }
    return login
  }

  private static func read(
    _ string: XMLElement,
    into login: inout ImportedLogin,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    guard let key = string.child("Key", in: text), key.children.isEmpty else {
      throw ImportFlaw("a string has no key", at: string.offset)
    }
    guard let value = string.child("Value", in: text) else { return }
    guard value.children.isEmpty else {
      throw ImportFlaw("a value has elements in it", at: value.offset)
    }
    let isSealed = value.attributes.contains { name, value in
      text.extracting(name).equals("Protected") && value.equals("True", in: text)
    }
    if isSealed {
      throw ImportFlaw(
        "a value is still encrypted; export the file again as plain XML",
        at: value.offset
      )
    }
    let content = value.content
    let name = key.content.bytes(in: text)
    switch String(decoding: name, as: UTF8.self) {
    case "Title": login.title = content
    case "UserName": login.account = content
    case "Password": login.password = content
    case "URL": login.addresses.append(content)
    case "Notes": login.notes = content
    case "otp": login.fields.append((ImportedLogin.oneTimeCode, content))
    default: login.fields.append((name, content))
    }
  }
}

extension XMLElement {
  /// Whether the element has a name.
  fileprivate func isCalled(_ name: StaticString, in text: Span<UInt8>) -> Bool {
    text.extracting(self.name).equals(name)
  }

  /// The first child of a name.
  fileprivate func child(_ name: StaticString, in text: Span<UInt8>) -> XMLElement? {
    children.first { $0.isCalled(name, in: text) }
  }
}
