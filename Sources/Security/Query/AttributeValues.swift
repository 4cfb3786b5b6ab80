import Foundation
import SecretVault

extension AttributeRule {
  /// Turns a client's value into what is kept and compared.
  ///
  /// - Throws: `errSecParam` for a type or a number that the attribute cannot have.
  func value(of given: Any) throws(KeychainError) -> AttributeValue {
    switch kind {
    case .blob: try Self.blob(given)
    case .number: try number(given)
    case .code: try Self.code(given)
    case .date: try date(given)
    }
  }

  private static func blob(_ given: Any) throws(KeychainError) -> AttributeValue {
    if truthValue(given) != nil { throw .parameter }
    switch given {
    case let text as String: return AttributeValue(text)
    case let data as Data: return AttributeValue(data: data)
    case let number as NSNumber: return AttributeValue(number: try integer(number))
    default: throw .parameter
    }
  }

  private static func code(_ given: Any) throws(KeychainError) -> AttributeValue {
    if let text = given as? String, Int64(text) == nil { return AttributeValue(text) }
    let number = try anyInteger(given)
    // An item without the attribute has the empty one, which comes back as 0.
    return number == 0 ? "" : AttributeValue(number: number)
  }

  private func number(_ given: Any) throws(KeychainError) -> AttributeValue {
    let isEmptyPort = attribute == .port && given as? String == ""
    let number = isEmptyPort ? 0 : try Self.anyInteger(given)
    let count = attribute.byteCount ?? 8
    guard number >= 0, count >= 8 || number < Int64(1) << Int64(count * 8) else { throw .parameter }
    return AttributeValue(fixed: Self.bytes(UInt64(number), count))
  }

  private func date(_ given: Any) throws(KeychainError) -> AttributeValue {
    guard let date = given as? Date else { throw .parameter }
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // Earlier moments count as the start of 1970, as the vault keeps them.
    guard !milliseconds.isNaN, let kept = UInt64(exactly: max(0, milliseconds)) else {
      throw .parameter
    }
    return AttributeValue(fixed: Self.bytes(kept, 8))
  }

  /// A number, a truth value, or text that looks like a number.
  static func anyInteger(_ given: Any) throws(KeychainError) -> Int64 {
    if let truth = truthValue(given) { return truth ? 1 : 0 }
    switch given {
    case let number as NSNumber: return try integer(number)
    case let text as String:
      guard let number = Int64(text) else { throw .parameter }
      return number
    default: throw .parameter
    }
  }

  private static func integer(_ number: NSNumber) throws(KeychainError) -> Int64 {
    guard let integer = Int64(exactly: number) else { throw .parameter }
    return integer
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64((count - 1 - $0) * 8)) }
  }
}

extension AttributeRule {
  /// Turns what is kept into the value that a client gets.
  func result(of kept: AttributeValue) -> Any {
    switch kind {
    case .blob: Self.blob(kept)
    case .code: kept.bytes.isEmpty ? NSNumber(value: 0) : Self.blob(kept)
    case .number: NSNumber(value: Self.integer(kept.bytes))
    case .date: Date(timeIntervalSince1970: Double(Self.integer(kept.bytes)) / 1000)
    }
  }

  private static func blob(_ kept: AttributeValue) -> Any {
    switch kept.form {
    case .text: kept.text ?? Data(kept.bytes)
    case .number: kept.text.flatMap { Int64($0) }.map { NSNumber(value: $0) } ?? Data(kept.bytes)
    case .data: Data(kept.bytes)
    }
  }

  private static func integer(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
