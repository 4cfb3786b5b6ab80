/// The line that is being typed at a terminal without echo.
struct LineEditor {
  /// What a key did.
  enum Step {
    case more
    case finished
    case cancelled
  }

  /// How many bytes of the buffer belong to the line.
  private(set) var count = 0
  /// Whether more was typed than the buffer holds.
  private(set) var isFull = false
  /// Whether a control character was typed that edits nothing; to drop it would alter what was pasted.
  private(set) var hasControlCharacter = false

  /// Takes in the byte that was just read into `line[count]`.
  mutating func accept(_ line: inout MutableSpan<UInt8>) -> Step {
    switch line[count] {
    case Key.lineFeed, Key.carriageReturn: return .finished
    case Key.interrupt, Key.quit: return .cancelled
    case Key.endOfFile: return count == 0 ? .cancelled : .more
    case Key.backspace, Key.delete: eraseCharacter(line)
    case Key.eraseLine: self = LineEditor()
    case 0..<0x20 where line[count] != Key.tab: hasControlCharacter = true
    default:
      // The last place stays free for the key that ends the line.
      if count + 1 < line.count { count += 1 } else { isFull = true }
    }
    return .more
  }

  /// Takes back one character, with all its bytes of UTF-8.
  private mutating func eraseCharacter(_ line: borrowing MutableSpan<UInt8>) {
    while count > 0 {
      count -= 1
      let isContinuation = line[count] & 0xC0 == 0x80
      if !isContinuation { return }
    }
  }

  /// The keys that edit, by the control characters that terminals send for them.
  private enum Key {
    static let interrupt: UInt8 = 0x03
    static let endOfFile: UInt8 = 0x04
    static let backspace: UInt8 = 0x08
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let eraseLine: UInt8 = 0x15
    static let quit: UInt8 = 0x1C
    static let delete: UInt8 = 0x7F
  }
}
