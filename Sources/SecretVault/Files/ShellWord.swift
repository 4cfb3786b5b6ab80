/// A path as a word of a command that a person can type.
enum ShellWord {
  /// The word, in quotes where the shell would take it apart; for a path that fits into no line, what stands for it.
  static func of(_ path: String, _ placeholder: String) -> String {
    let isShown = path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard !path.isEmpty, isShown else { return placeholder }
    // A hyphen in front would make it an option.
    let name = path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
    guard !name.utf8.allSatisfy(isPlain) else { return name }
    let parts = name.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+:,@%".utf8.contains(byte)
    }
  }
}
