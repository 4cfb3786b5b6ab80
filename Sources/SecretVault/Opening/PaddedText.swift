import SecretMemory
import VaultCrypto
import VaultFormat

/// A short text as it is stored: a salt and the box of the padded bytes.
enum PaddedText {
  static func seal(
    _ text: [UInt8],
    with key: HMAC,
    context: [UInt8],
    random: RandomSource,
    using cipher: GCM
  ) throws -> [UInt8] {
    let salt = Salt(try random.bytes())
    var padded = [UInt8](repeating: 0, count: try Padding.paddedCount(for: text.count))
    var output = padded.mutableSpan
    defer { ConstantTime.wipe(&output) }
    try Padding.pad(text.span, into: &output)
    let box = try SealedBox.seal(
      output.span,
      with: key,
      salt: salt.bytes.span,
      context: context.span,
      using: cipher
    )
    return salt.array + box
  }

  static func open(
    _ sealed: [UInt8],
    with key: HMAC,
    context: [UInt8],
    using cipher: GCM
  ) throws -> [UInt8] {
    guard sealed.count > SealedBox.saltByteCount else { throw VaultError(.tampered) }
    let box = sealed.span.extracting(SealedBox.saltByteCount...)
    guard let count = SealedBox.plaintextByteCount(boxCount: box.count)
    else { throw VaultError(.tampered) }
    var padded = [UInt8](repeating: 0, count: count)
    var output = padded.mutableSpan
    _ = try SealedBox.open(
      box,
      with: key,
      salt: sealed.span.extracting(0..<SealedBox.saltByteCount),
      context: context.span,
      using: cipher,
      into: &output
    )
    defer { ConstantTime.wipe(&output) }
    return try output.span.array(in: Padding.unpad(output.span))
  }
}
