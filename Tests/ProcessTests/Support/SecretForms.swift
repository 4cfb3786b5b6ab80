import Foundation

/// The forms in which a text could lie in a file without being seen at first sight.
struct SecretForms: Sendable {
  private let forms: [Data]

  init(of texts: [String]) {
    forms = texts.flatMap { text in
      let bytes = Data(text.utf8)
      let digits = bytes.map { String(format: "%02x", $0) }.joined()
      let alignments = (0..<3).map { Self.base64(bytes, after: $0) }
      return [
        bytes, Self.utf16(text, .utf16LittleEndian), Self.utf16(text, .utf16BigEndian),
        Data(digits.utf8), Data(digits.uppercased().utf8),
      ] + alignments
    }
  }

  /// Whether any of the forms is in some bytes.
  func isFound(in bytes: Data) -> Bool {
    forms.contains { bytes.range(of: $0) != nil }
  }

  private static func utf16(_ text: String, _ encoding: String.Encoding) -> Data {
    text.data(using: encoding) ?? Data()
  }

  /// What base64 makes of the bytes wherever they stand after others, less the digits they share.
  private static func base64(_ bytes: Data, after count: Int) -> Data {
    let start = (count * 8 + 5) / 6
    let end = (count + bytes.count) * 8 / 6
    let digits = (Data(count: count) + bytes).base64EncodedString()
    return Data(digits.utf8.prefix(end).dropFirst(start))
  }
}
