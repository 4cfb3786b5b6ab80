import SecretVault

/// A file of variables, one `NAME=VALUE` a line.
///
/// Empty lines and lines that begin with `#` are passed over. Nothing is quoted, expanded or trimmed: the
/// value is every byte between the first `=` and the newline. A value that begins with `secret://` is a
/// reference as a whole. Failures name the line, never what is in it.
struct EnvironmentFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Reads the variables.
  ///
  /// - Throws: A failure: unreadable or longer than 1 MiB; a usage failure for a malformed line, or a name
  ///   that two lines give.
  func variables() throws -> [Variable] {
    let contents = try SecretReader.read(file: path, limit: SecretReader.secretLimit)
    return try contents.withBytes { bytes in
      var variables: [Variable] = []
      var names: Set<[UInt8]> = []
      var start = 0
      var number = 1
      while start < bytes.count {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: start..<bytes.count) ?? bytes.count
        let place = "\(TextEscaping.escaped(path)), line \(number)"
        if let variable = try Self.variable(bytes.extracting(start..<end), at: place) {
          guard names.insert(variable.name).inserted else {
            throw Failure.usage("\(place): an earlier line gives this variable too; keep one")
          }
          variables.append(variable)
        }
        start = end + 1
        number += 1
      }
      return variables
    }
  }

  /// The variable of a line, or `nil` where it is empty or a comment.
  private static func variable(_ line: Span<UInt8>, at place: String) throws -> Variable? {
    if line.isEmpty || line[0] == UInt8(ascii: "#") { return nil }
    guard let end = line.firstIndex(of: UInt8(ascii: "="), in: line.indices) else {
      throw Failure.usage("\(place): there is no = in it; write NAME=VALUE")
    }
    let name = line.extracting(..<end).array
    guard Variable.isLegal(name) else {
      throw Failure.usage(
        "\(place): the name is not legal; use letters, digits and underscores, no digit first"
      )
    }
    let value = line.extracting((end + 1)...)
    return Variable(name: name, value: try Self.value(value, at: place), place: place)
  }

  private static func value(_ bytes: Span<UInt8>, at place: String) throws -> Variable.Value {
    guard SecretReference.isBegun(bytes) else { return .literal(try SecretBytes(bytes)) }
    do {
      return .reference(try SecretReference(bytes.array))
    } catch {
      throw error.prefixed(with: place)
    }
  }
}
