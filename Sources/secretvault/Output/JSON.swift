import SecretVault

/// A JSON value (RFC 8259) to be written.
indirect enum JSON {
  case null
  case bool(Bool)
  case number(UInt64)
  case string(String)
  /// Bytes that are probably text: a string, or where they are no UTF-8 an object as of a secret.
  case bytes([UInt8])
  /// A secret: an object with its encoding, `utf8` or `base64`, and its value.
  case secret(SecretBytes)
  /// A secret that is known to be UTF-8: a string.
  case secretText(SecretBytes)
  case array([JSON])
  /// Members in their order.
  case object([(name: String, value: JSON)])

  /// An object with the version of the schema before the other members.
  static func document(_ members: [(name: String, value: JSON)]) -> JSON {
    .object([("version", .number(1))] + members)
  }
}

extension Output {
  /// Writes a value in one line; what is secret in it leaves locked memory only through `write(2)`.
  func write(line value: JSON) throws {
    try write(value)
    try write("\n")
  }

  /// Writes a value as a part of a longer one.
  func write(_ value: JSON) throws {
    switch value {
    case .null: try write("null")
    case .bool(let isTrue): try write(isTrue ? "true" : "false")
    case .number(let number): try write(String(number))
    case .string(let text): try writeString(Array(text.utf8))
    case .bytes(let bytes): try writeBytes(bytes)
    case .secret(let secret): try writeSecret(secret)
    case .secretText(let secret):
      try write("\"")
      try write(secret, escaping: .json)
      try write("\"")
    case .array(let values): try writeList("[", values, "]") { value in try write(value) }
    case .object(let members):
      try writeList("{", members, "}") { member in
        try writeString(Array(member.name.utf8))
        try write(":")
        try write(member.value)
      }
    }
  }

  private func writeList<Element>(
    _ opening: String,
    _ elements: [Element],
    _ closing: String,
    _ writeElement: (Element) throws -> Void
  ) throws {
    try write(opening)
    for (index, element) in elements.enumerated() {
      if index > 0 { try write(",") }
      try writeElement(element)
    }
    try write(closing)
  }

  private func writeString(_ bytes: [UInt8]) throws {
    var line = [UInt8(ascii: "\"")]
    for byte in bytes { ByteEscaping.json.append(byte, to: &line) }
    line.append(UInt8(ascii: "\""))
    try write(line)
  }

  private func writeBytes(_ bytes: [UInt8]) throws {
    if String(validating: bytes, as: UTF8.self) != nil {
      try writeString(bytes)
    } else {
      let value = JSON.string(Base64.encode(bytes))
      try write(JSON.object([("encoding", .string("base64")), ("value", value)]))
    }
  }

  private func writeSecret(_ secret: SecretBytes) throws {
    let isText = secret.withBytes { bytes in (try? UTF8Span(validating: bytes)) != nil }
    try write("{\"encoding\":\"\(isText ? "utf8" : "base64")\",\"value\":\"")
    if isText {
      try write(secret, escaping: .json)
    } else {
      try writeBase64(secret)
    }
    try write("\"}")
  }
}
