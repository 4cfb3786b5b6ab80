import SecretMemory

/// HKDF (RFC 5869), by hand over HMAC, since the provider's own refuses long contexts.
package enum HKDF {
  /// Extract: a pseudorandom key from a salt and the input key material that `feed` streams.
  package static func extract(
    _ hash: HMAC.Hash = .sha512,
    salt: Span<UInt8>,
    into pseudorandomKey: inout MutableSpan<UInt8>,
    feed: (HMAC) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    let hmac = try HMAC(hash, key: salt)
    try feed(hmac)
    try hmac.finish(into: &pseudorandomKey)
  }

  /// Expand: fills `output` from a pseudorandom key and a context.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for more than 255 blocks.
  package static func expand(
    _ hmac: HMAC,
    info: Span<UInt8>,
    into output: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    let size = hmac.hash.byteCount
    guard output.count <= 255 * size else { throw .invalidLength }
    var block = InlineArray<64, UInt8>(repeating: 0)
    var blockBytes = block.mutableSpan
    defer { ConstantTime.wipe(&blockBytes) }
    var filled = 0
    var number: UInt8 = 1
    while filled < output.count {
      try hmac.begin()
      if filled > 0 { try hmac.update(blockBytes.span.extracting(0..<size)) }
      try hmac.update(info)
      try hmac.update(number)
      try hmac.finish(into: &blockBytes)
      let count = min(size, output.count - filled)
      for index in 0..<count { output[filled + index] = blockBytes[index] }
      filled += count
      number &+= 1
    }
  }
}
