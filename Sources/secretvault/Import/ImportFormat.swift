import SecretVault

/// The formats that can be imported.
enum ImportFormat: String, CaseIterable {
  case bitwarden
  case keePassCSV = "keepassxc-csv"
  case keePassXML = "keepassxc-xml"
  case onePassword = "1password"
  case environment = "env"
  case json
  case keychain

  /// The names of all formats, for the help, for the shell and for failures.
  static let names = allCases.map(\.rawValue)

  /// The format that `--format` names; `nil` where it was not given.
  ///
  /// - Throws: A usage failure for an unknown one.
  init?(_ arguments: ParsedArguments) throws(Failure) {
    guard let name = arguments.value(of: .format) else { return nil }
    guard let format = ImportFormat(rawValue: name) else {
      throw .usage("unknown format; use \(Self.names.joined(separator: ", "))")
    }
    self = format
  }

  /// The format of a text, where its content leaves no doubt.
  ///
  /// - Throws: A flaw where the text begins as JSON or XML, and is malformed.
  static func recognized(in text: Span<UInt8>) throws(ImportFlaw) -> ImportFormat? {
    let start = text.droppingSpace(text.indices).lowerBound
    if text.has("{", at: start) {
      let document = try JSONMembers(JSONReader.document(in: text))
      if try BitwardenImport.recognizes(document, in: text) { return .bitwarden }
      return try VaultJSONImport.recognizes(document, in: text) ? .json : nil
    }
    if text.has("<", at: start) {
      return KeePassImport.recognizes(try XMLReader.document(in: text), in: text)
        ? .keePassXML : nil
    }
    if KeychainImport.recognizes(text) { return .keychain }
    if LoginTableImport.keePassXC.recognizes(text) { return .keePassCSV }
    if LoginTableImport.onePassword.recognizes(text) { return .onePassword }
    return EnvironmentImport.recognizes(text) ? .environment : nil
  }

  /// Reads all rows; variables of the environment, which have no service, get the one that is given.
  ///
  /// - Throws: The first ``ImportFlaw``; a usage failure where a service is needed and none was given; an
  ///   error where no locked memory is left.
  func rows(in text: Span<UInt8>, service: String?) throws -> [ImportRow] {
    switch self {
    case .bitwarden: return try BitwardenImport.rows(in: text)
    case .keePassCSV: return try LoginTableImport.keePassXC.rows(in: text)
    case .keePassXML: return try KeePassImport.rows(in: text)
    case .onePassword: return try LoginTableImport.onePassword.rows(in: text)
    case .json: return try VaultJSONImport.rows(in: text)
    case .keychain: return try KeychainImport.rows(in: text)
    case .environment:
      guard let service else {
        throw Failure.usage("variables of the environment have no service; give --service S")
      }
      return try EnvironmentImport(service: Array(service.utf8)).rows(in: text)
    }
  }
}
