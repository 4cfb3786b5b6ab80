/// Lengths of time as text: `90`, `90s`, `15m`, `12h`, `2d`.
enum DurationText {
  private static let units: [(letter: Character, seconds: UInt64)] = [
    ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
  ]
  /// A century; beyond it a time is no limit at all.
  private static let longest: UInt64 = 36_525 * 86_400

  /// Reads a whole number with a unit, or of seconds without one.
  ///
  /// - Throws: A usage failure for anything else, and for more than a century.
  static func seconds(_ text: String, for option: Option) throws(Failure) -> UInt64 {
    let unit = units.first { $0.letter == text.last }
    let digits = unit == nil ? text[...] : text.dropLast()
    let isDecimal = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isDecimal, let count = UInt64(digits), count <= longest / (unit?.seconds ?? 1) else {
      throw .usage("\(option.name) is no length of time; give one such as 90s, 15m, 12h or 2d")
    }
    return count * (unit?.seconds ?? 1)
  }

  /// Writes a length of time with its two largest units, such as `14m 30s`.
  static func text(_ seconds: UInt64) -> String {
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0s" }
    var rest = seconds
    var parts: [String] = []
    for (letter, size) in units[first...].prefix(2) {
      if rest >= size { parts.append("\(rest / size)\(letter)") }
      rest %= size
    }
    return parts.joined(separator: " ")
  }
}
