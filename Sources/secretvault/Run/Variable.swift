import SecretVault

/// A variable that `run` gives to the program.
struct Variable {
  /// Where the value comes from.
  enum Value {
    case literal(SecretBytes)
    case reference(SecretReference)
  }

  let name: [UInt8]
  let value: Value
  /// Where it was given, such as `line 3`, for failures.
  let place: String

  /// Takes a value of `--env`.
  ///
  /// - Throws: A usage failure: no name, or no reference. A plain value is refused, since whoever lists the
  ///   processes would see it.
  init(option text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    let name = bytes.prefix { $0 != UInt8(ascii: "=") }
    guard Self.isLegal(name) else {
      throw .usage("--env gives no legal name of a variable; write NAME=secret://SERVICE/ACCOUNT")
    }
    let place = "--env \(String(decoding: name, as: UTF8.self))"
    do {
      let reference = try SecretReference(bytes.dropFirst(name.count + 1))
      self.init(name: Array(name), value: .reference(reference), place: place)
    } catch {
      throw error.prefixed(with: place)
    }
  }

  init(name: [UInt8], value: Value, place: String) {
    self.name = name
    self.value = value
    self.place = place
  }

  /// Whether POSIX allows the name: letters, digits and underscores, no digit first.
  static func isLegal(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, !isDigit(first) else { return false }
    return name.allSatisfy { byte in
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      return isDigit(byte) || byte == UInt8(ascii: "_") || letters.contains(byte | 0x20)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
