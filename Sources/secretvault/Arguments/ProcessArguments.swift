/// The words that the process was started with, without the name of the tool.
enum ProcessArguments {
  private static var count: Int { max(0, Int(CommandLine.argc) - 1) }

  /// The words as text, after those that the name of the tool stands for; what is no UTF-8 is repaired, see
  /// ``requireText(exceptLast:)``.
  static func words() -> [String] {
    let name = unsafe CommandLine.unsafeArgv[0].map { unsafe String(cString: $0) } ?? ""
    return HelperNames.impliedWords(byCallOf: name) + CommandLine.arguments.dropFirst()
  }

  /// Checks the words byte for byte, but for so many at the end.
  ///
  /// - Throws: A usage failure for a word that is no valid UTF-8.
  static func requireText(exceptLast exemptCount: Int = 0) throws(Failure) {
    let checkedCount = max(0, count - exemptCount)
    for index in 0..<checkedCount {
      guard let start = unsafe CommandLine.unsafeArgv[index + 1] else { return }
      guard unsafe String(validatingCString: start) != nil else {
        throw .usage("word \(index + 1) of the command line is no UTF-8; names and paths must be")
      }
    }
  }

  /// Lends the last words, byte for byte, as a list that ends with a null pointer.
  static func withLast<R>(
    _ wordCount: Int,
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    let first = 1 + max(0, count - wordCount)
    return unsafe body(CommandLine.unsafeArgv + first)
  }
}
