import SecretVault

/// An item as a variable: its account is the name, its secret the value.
struct ExportedVariable {
  private let name: String
  private let secret: SecretBytes

  /// Takes an item whose account was found to be a legal name.
  ///
  /// - Throws: A usage failure for an item without a secret.
  init(_ item: SecretItem, secret: SecretBytes?) throws(Failure) {
    guard let secret else {
      throw .usage("an item has no secret, which only the format json can say; use json")
    }
    name = String(decoding: item.identity.account.bytes, as: UTF8.self)
    self.secret = secret
  }

  /// Writes the variable in a line.
  ///
  /// - Throws: A usage failure for a value that the format cannot hold.
  func write(to output: Output, as format: VariableFormat) throws {
    switch format {
    case .env:
      try checkLine()
      try output.write("\(name)=")
      try output.write(secret)
      try output.write("\n")
    case .shell:
      if contains(0) { throw Self.unfit("a zero byte", format) }
      try output.write("export \(name)='")
      try output.write(secret, escaping: .shell)
      try output.write("'\n")
    case .k8s:
      try output.write("  \"\(name)\": \"")
      try output.writeBase64(secret)
      try output.write("\"\n")
    }
  }

  /// What the file says must come back from it as it was.
  private func checkLine() throws(Failure) {
    if contains(0) { throw Self.unfit("a zero byte", .env) }
    if contains(UInt8(ascii: "\n")) { throw Self.unfit("a newline", .env) }
    if secret.withBytes(SecretReference.isBegun) {
      throw Self.unfit("the beginning of a reference", .env)
    }
  }

  private func contains(_ byte: UInt8) -> Bool {
    secret.withBytes { $0.firstIndex(of: byte, in: $0.indices) != nil }
  }

  private static func unfit(_ fault: String, _ format: VariableFormat) -> Failure {
    .usage("a value has \(fault), which the format \(format.rawValue) cannot hold; use json")
  }
}
