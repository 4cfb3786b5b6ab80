import SecretMemory

/// Cobblestone-256: the AES-256-GCM and SHA-512 instance of C2SP chunked encryption
/// (c2sp.org/chunked-encryption).
///
/// A box is a commitment of 32 bytes and the chunks, each a ciphertext of up to 16 384 bytes with its tag
/// of 16. The last chunk is always shorter, and may be empty. The salt of 24 bytes is kept beside the
/// box; salt and context go into the derivation, so a box opens in its own context only.
package enum SealedBox {
  /// The size of a salt, in bytes.
  package static let saltByteCount = 24
  /// The size of a commitment, in bytes.
  package static let commitmentByteCount = 32
  /// The size of a full chunk of plaintext, in bytes.
  package static let chunkByteCount = 16_384

  private static let sealedChunkByteCount = chunkByteCount + GCM.tagByteCount
  private static let domain = Array(
    "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0".utf8
  )

  /// The size of the box of a plaintext of `plaintextCount` bytes.
  package static func byteCount(plaintextCount: Int) -> Int {
    let chunks = plaintextCount / chunkByteCount + 1
    return commitmentByteCount + plaintextCount + chunks * GCM.tagByteCount
  }

  /// The size of the plaintext in a box of `boxCount` bytes, or `nil` where no box has that size.
  package static func plaintextByteCount(boxCount: Int) -> Int? {
    let sealedCount = boxCount - commitmentByteCount
    guard sealedCount >= GCM.tagByteCount else { return nil }
    let (full, rest) = sealedCount.quotientAndRemainder(dividingBy: sealedChunkByteCount)
    guard rest >= GCM.tagByteCount else { return nil }
    return full * chunkByteCount + rest - GCM.tagByteCount
  }

  /// Seals `plaintext` and returns the box.
  ///
  /// - Throws: ``CryptoError``.
  package static func seal(
    _ plaintext: Span<UInt8>,
    with key: HMAC,
    salt: Span<UInt8>,
    context: Span<UInt8>,
    using cipher: GCM
  ) throws(CryptoError) -> [UInt8] {
    guard salt.count == saltByteCount else { throw .invalidLength }
    var box = [UInt8](repeating: 0, count: byteCount(plaintextCount: plaintext.count))
    var output = box.mutableSpan
    try withMessageKeys(key, salt, context) { keys throws(CryptoError) in
      for index in 0..<commitmentByteCount {
        output[index] = keys[commitmentRange.lowerBound + index]
      }
      for number in 0...(plaintext.count / chunkByteCount) {
        let start = number * chunkByteCount
        let nonce = Self.nonce(keys.extracting(nonceRange), chunk: number)
        try cipher.seal(
          plaintext.extracting(start..<min(start + chunkByteCount, plaintext.count)),
          key: keys.extracting(keyRange),
          nonce: nonce.span,
          associatedData: Span(),
          into: &output,
          at: commitmentByteCount + number * sealedChunkByteCount
        )
      }
    }
    return box
  }

  /// Opens a box into `output` and returns how many bytes of it are plaintext.
  ///
  /// The commitment is compared before anything is decrypted. On failure all of `output` is wiped.
  ///
  /// - Throws: ``CryptoError/commitmentMismatch``, ``CryptoError/authenticationFailed``, or
  ///   `invalidLength` when `output` is too small.
  package static func open(
    _ box: Span<UInt8>,
    with key: HMAC,
    salt: Span<UInt8>,
    context: Span<UInt8>,
    using cipher: GCM,
    into output: inout MutableSpan<UInt8>
  ) throws(CryptoError) -> Int {
    do throws(CryptoError) {
      guard let count = plaintextByteCount(boxCount: box.count), salt.count == saltByteCount
      else { throw .authenticationFailed }
      guard output.count >= count else { throw .invalidLength }
      try withMessageKeys(key, salt, context) { keys throws(CryptoError) in
        let commitment = keys.extracting(commitmentRange)
        guard ConstantTime.equal(commitment, box.extracting(0..<commitmentByteCount))
        else { throw .commitmentMismatch }
        try openChunks(box, keys, cipher, into: &output)
      }
      return count
    } catch {
      ConstantTime.wipe(&output)
      throw error
    }
  }

  private static func openChunks(
    _ box: Span<UInt8>,
    _ keys: Span<UInt8>,
    _ cipher: GCM,
    into output: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    for number in 0...((box.count - commitmentByteCount) / sealedChunkByteCount) {
      let start = commitmentByteCount + number * sealedChunkByteCount
      let nonce = Self.nonce(keys.extracting(nonceRange), chunk: number)
      try cipher.open(
        box.extracting(start..<min(start + sealedChunkByteCount, box.count)),
        key: keys.extracting(keyRange),
        nonce: nonce.span,
        associatedData: Span(),
        into: &output,
        at: number * chunkByteCount
      )
    }
  }

  /// The nonce of a chunk: the message's nonce, its last bytes combined with the number by XOR.
  private static func nonce(
    _ base: Span<UInt8>,
    chunk number: Int
  ) -> InlineArray<12, UInt8> {
    InlineArray { index in
      let shift = (GCM.nonceByteCount - 1 - index) * 8
      let counter = shift < 64 ? UInt8(truncatingIfNeeded: UInt64(number) >> UInt64(shift)) : 0
      return base[index] ^ counter
    }
  }

  private static let keyRange = 0..<32
  private static let nonceRange = 32..<44
  private static let commitmentRange = 44..<76

  /// Lends key, nonce and commitment of one message: the first 76 bytes of HKDF-Expand, wiped at the
  /// end.
  private static func withMessageKeys(
    _ hmac: HMAC,
    _ salt: Span<UInt8>,
    _ context: Span<UInt8>,
    _ body: (Span<UInt8>) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    // A shorter code would leave parts of the nonce and the commitment zero.
    guard hmac.hash == .sha512 else { throw .invalidLength }
    // In one piece, since each piece that is fed costs libcrypto as much as hashing some fifty bytes.
    var info = domain
    info.reserveCapacity(domain.count + salt.count + context.count + 1)
    info.append(salt)
    info.append(context)
    info.append(1)
    var blocks = InlineArray<128, UInt8>(repeating: 0)
    var bytes = blocks.mutableSpan
    defer { ConstantTime.wipe(&bytes) }
    try hmac.begin()
    try hmac.update(info.span)
    try hmac.finish(into: &bytes)
    info[info.count - 1] = 2
    try hmac.begin()
    try hmac.update(bytes.span.extracting(0..<64))
    try hmac.update(info.span)
    try hmac.finish(into: &bytes, at: 64)
    try body(bytes.span)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
