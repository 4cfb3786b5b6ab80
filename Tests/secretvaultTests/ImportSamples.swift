import Foundation
import TestSupport

/// Files as other password stores write them; every secret in them has the word `hunter` in it.
enum ImportSample: String, CaseIterable {
  case bitwarden
  case keePassCSV = "keepassxc-csv"
  case keePassXML = "keepassxc-xml"
  case onePassword = "1password"
  case environment = "env"
  case json
  case keychain

  var text: String {
    switch self {
    case .bitwarden: Self.bitwardenText
    case .keePassCSV: Self.keePassTable
    case .keePassXML: Self.keePassDocument
    case .onePassword: Self.onePasswordTable
    case .environment: Self.environmentText
    case .json: Self.jsonText
    case .keychain: Self.keychainText
    }
  }

  var bytes: [UInt8] { Array(text.utf8) }

  /// The options that name the service, where the format has none.
  var service: [String] { self == .environment ? ["--service", "s"] : [] }

  /// Files that are not in the format, each with the line where that shows.
  var malformed: [(text: String, line: Int)] {
    switch self {
    case .bitwarden, .json:
      [
        changing("\"items\": [", to: "\"items\": [,"),
        changing("\"items\": [", to: "\"items\": [7,"),
        changing("hunter1", to: "hunter1\\q"), changing("hunter1", to: "hunter1\u{1}"),
        changing("hunter1", to: "hunter1\\ud800"), appending("x"),
        (String(text.dropLast(2)), lineCount),
      ]
    case .keePassCSV, .onePassword:
      [
        changing("hunter1", to: "hunter1\"x"),
        changing("Password", to: "Title"), appending("a,b\n"),
        appending("\"hunter without an end\n"),
      ]
    case .keePassXML:
      [
        changing("</Root>", to: "</Rot>"), changing("&amp;", to: "&foo;"),
        changing("&#128512;", to: "&#xD800;"), changing("ProtectInMemory", to: "Protected"),
        changing("<KeePassFile>", to: "<!DOCTYPE x [<!ENTITY a \"b\">]><KeePassFile>"),
        appending("<more/>"),
      ]
    case .environment: [appending("no variable\n"), changing("API_KEY", to: "1X")]
    case .keychain:
      [
        changing("0x68756E", to: "0x68756"), changing("\"hunter1\"", to: "\"hunter1"),
        changing("    \"acct\"", to: "\"acct\""), appending("hunter\n"),
      ]
    }
  }

  /// The text with something else at the first place of a word, and the line of that place.
  private func changing(_ word: String, to other: String) -> (text: String, line: Int) {
    guard let place = text.range(of: word) else { return (text, 0) }
    let line = text[..<place.lowerBound].count { $0.isNewline } + 1
    return (text.replacingCharacters(in: place, with: other), line)
  }

  private func appending(_ end: String) -> (text: String, line: Int) { (text + end, lineCount + 1) }

  private var lineCount: Int { text.count { $0.isNewline } }
}

extension ImportSample {
  static let tableHeader = "Title,URL,Username,Password,Notes\n"

  /// A table with a header and these rows, as standard input.
  static func table(_ rows: String...) -> ChildProcess.Stream {
    .text(tableHeader + rows.joined(separator: "\n") + "\n")
  }
}
