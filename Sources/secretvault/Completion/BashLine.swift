/// A line of bash, up to the cursor, taken apart without running anything that stands in it.
struct BashLine {
  /// The words, unquoted and with expansions as they were typed; the last is the one at the cursor.
  private(set) var words: [String] = []
  /// How much of the last word bash keeps; it replaces what follows a character of `COMP_WORDBREAKS`.
  private(set) var keptCount = 0

  private var word = ""
  private var isInWord = false
  private var hasQuotes = false

  /// Splits a line.
  ///
  /// - Returns: `nil` where the word at the cursor has quotes: to go on in them needs other candidates.
  init?(_ line: String, wordBreaks: String) {
    var rest = line.makeIterator()
    while let character = rest.next() {
      if character.isWhitespace {
        finishWord()
        continue
      }
      isInWord = true
      switch character {
      case "\\": if let next = rest.next() { word.append(next) }
      case "'", "\"":
        hasQuotes = true
        while let next = rest.next(), next != character {
          let isEscaped = next == "\\" && character == "\""
          word.append(isEscaped ? rest.next() ?? next : next)
        }
      default:
        word.append(character)
        if wordBreaks.contains(character) { keptCount = word.count }
      }
    }
    if hasQuotes { return nil }
    words.append(word)
  }

  private mutating func finishWord() {
    if isInWord { words.append(word) }
    word = ""
    isInWord = false
    hasQuotes = false
    keptCount = 0
  }
}
