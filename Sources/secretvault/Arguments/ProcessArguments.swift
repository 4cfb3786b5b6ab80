/// The words that the process was started with, without the name of the tool.
enum ProcessArguments {
  /// Reads the words byte for byte, because the standard library's own list repairs what is no UTF-8.
  ///
  /// - Throws: A usage failure for a word that is no valid UTF-8.
  static func words() throws(Failure) -> [String] {
    var words: [String] = []
    let count = Int(CommandLine.argc)
    guard count > 1 else { return [] }
    for index in 1..<count {
      guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: start) else {
        throw .usage("word \(index) of the command line is no UTF-8; names and paths must be")
      }
      words.append(word)
    }
    return words
  }
}
