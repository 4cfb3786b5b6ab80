import Glibc

/// The variables of the process.
enum ProcessEnvironment {
  /// A variable's text; an empty one counts as unset.
  ///
  /// - Throws: A usage failure for one that is no UTF-8: to pass it over could pick another vault.
  static func value(of name: String) throws(Failure) -> String? {
    guard let start = unsafe getenv(name) else { return nil }
    guard let text = unsafe String(validatingCString: start) else {
      throw .usage("the variable \(name) is no UTF-8; correct it")
    }
    return text.isEmpty ? nil : text
  }
}
