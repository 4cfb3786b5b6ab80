import CLinux
import Glibc
import SecretVault

/// Random secrets that can be typed, made in locked memory.
enum RandomText {
  /// How many characters a secret gets where no length is given; 24 are worth 142 bits.
  static let standardLength = 24
  private static let longest: UInt64 = 4096
  private static let mostWords: UInt64 = 256

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
  )

  /// Reads a length from the command line.
  ///
  /// - Throws: A usage failure.
  static func length(_ text: String, for subject: String) throws(Failure) -> Int {
    Int(try ParsedArguments.number(text, in: 1...longest, for: subject))
  }

  /// Reads a number of words from the command line.
  ///
  /// - Throws: A usage failure.
  static func wordCount(_ arguments: ParsedArguments) throws(Failure) -> Int? {
    try arguments.number(of: .words, in: 1...mostWords).map { Int($0) }
  }

  /// Makes letters and digits, each of the 62 equally likely.
  ///
  /// A random byte that is not below 248, four times 62, is thrown away: taking its remainder would
  /// favour the first characters.
  static func characters(_ count: Int) throws -> SecretBytes {
    let limit = UInt8(256 / alphabet.count * alphabet.count)
    return try filled(count) { (target) throws(Failure) in
      var position = 0
      while position < count {
        let byte = try randomByte()
        if byte >= limit { continue }
        target[position] = alphabet[Int(byte) % alphabet.count]
        position += 1
      }
    }
  }

  /// Makes words that can be spoken, joined with hyphens.
  ///
  /// A word is a proquint (Wilkerson, "A Proposal for Proquints", 2009): consonants worth four bits and
  /// vowels worth two, in turn; five letters carry exactly 16 random bits.
  static func words(_ count: Int) throws -> SecretBytes {
    let letters = Word.bitsOfLetter.count
    return try filled(count * (letters + 1) - 1) { (target) throws(Failure) in
      for word in 0..<count {
        var bits = UInt16(try randomByte()) << 8 | UInt16(try randomByte())
        let start = word * (letters + 1)
        if word > 0 { target[start - 1] = UInt8(ascii: "-") }
        for (place, width) in Word.bitsOfLetter.enumerated() {
          let letterSet = width == 4 ? Word.consonants : Word.vowels
          target[start + place] = letterSet[Int(bits >> (16 - UInt16(width)))]
          bits <<= UInt16(width)
        }
      }
    }
  }

  private enum Word {
    static let consonants = Array("bdfghjklmnprstvz".utf8)
    static let vowels = Array("aiou".utf8)
    static let bitsOfLetter = [4, 2, 4, 2, 4]
  }

  /// A random byte of the kernel (`getrandom(2)`); none is kept in a buffer.
  ///
  /// - Throws: A system failure.
  private static func randomByte() throws(Failure) -> UInt8 {
    var byte: UInt8 = 0
    while unsafe secretvault_getrandom(&byte, 1) != 1 {
      if errno != EINTR { throw .system(errno, "cannot get random bytes") }
    }
    return byte
  }

  private static func filled(
    _ count: Int,
    _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws -> SecretBytes {
    var failure: Failure?
    let text = try SecretBytes(count: count) { target in
      do throws(Failure) {
        try fill(&target)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return text
  }
}
