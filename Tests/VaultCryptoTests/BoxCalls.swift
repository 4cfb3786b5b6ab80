import VaultCrypto

/// Seals with a context made for this one call.
func seal(
  _ plaintext: [UInt8],
  key: [UInt8],
  salt: [UInt8],
  context: [UInt8] = []
) throws(CryptoError) -> [UInt8] {
  try SealedBox.seal(
    plaintext.span,
    with: HMAC(key: key.span),
    salt: salt.span,
    context: context.span,
    using: GCM()
  )
}

/// Opens with a context made for this one call.
func open(
  _ box: [UInt8],
  key: [UInt8],
  salt: [UInt8],
  context: [UInt8] = []
) throws(CryptoError) -> [UInt8] {
  var plaintext = [UInt8](
    repeating: 0,
    count: SealedBox.plaintextByteCount(boxCount: box.count) ?? 0
  )
  let count = try open(box, key: key, salt: salt, context: context, into: &plaintext)
  return Array(plaintext.prefix(count))
}

/// Opens into an array of the caller's, so that what a failure leaves there can be seen.
func open(
  _ box: [UInt8],
  key: [UInt8],
  salt: [UInt8],
  context: [UInt8] = [],
  into plaintext: inout [UInt8]
) throws(CryptoError) -> Int {
  var output = plaintext.mutableSpan
  return try SealedBox.open(
    box.span,
    with: HMAC(key: key.span),
    salt: salt.span,
    context: context.span,
    using: GCM(),
    into: &output
  )
}

/// The hash of some bytes.
func sha512(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
  try Array(SHA512.hash(bytes.span, Span()))
}

extension [UInt8] {
  /// Copies the bytes of a fixed array.
  init<let count: Int>(_ bytes: InlineArray<count, UInt8>) {
    self = bytes.indices.map { bytes[$0] }
  }
}

extension Key {
  /// A copy of the bytes, to compare with what is expected.
  var bytes: [UInt8] {
    borrowing get { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
  }
}
