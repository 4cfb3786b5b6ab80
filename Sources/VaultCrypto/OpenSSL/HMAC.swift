import COpenSSL
import SecretMemory

/// A keyed HMAC whose key is digested once and used for many messages (RFC 2104).
///
/// HMAC hashes the message behind one padded key, and the result behind another. libcrypto's own HMAC keeps a copy of
/// the key on the ordinary heap for as long as its context lives. This one keeps only what its hash function made of
/// the two padded keys, in two contexts that each message starts from. They are as good as the key for computing codes:
/// whoever keeps them must let them go at a lock, and libcrypto wipes them when they are freed. One thread at a time
/// may use an instance.
@safe
package final class HMAC {
  /// The hash function under the HMAC.
  package enum Hash: Sendable {
    case sha256
    case sha512

    /// The size of a result, in bytes.
    package var byteCount: Int { self == .sha256 ? 32 : 64 }

    /// The size of the blocks that the function works on, in bytes.
    fileprivate var blockByteCount: Int { self == .sha256 ? 64 : 128 }
  }

  /// The hash function in use.
  package let hash: Hash

  /// What has digested the inner padded key.
  private let inner: OpaquePointer
  /// What has digested the outer padded key.
  private let outer: OpaquePointer
  /// What the present message goes through.
  private let message: OpaquePointer

  /// Digests a key of any length and starts the first message.
  ///
  /// - Throws: ``CryptoError/unavailable`` when libcrypto cannot.
  package init(_ hash: Hash = .sha512, key: Span<UInt8>) throws(CryptoError) {
    guard let inner = unsafe EVP_MD_CTX_new() else { throw .unavailable }
    guard let outer = unsafe EVP_MD_CTX_new() else {
      unsafe EVP_MD_CTX_free(inner)
      throw .unavailable
    }
    guard let message = unsafe EVP_MD_CTX_new() else {
      unsafe EVP_MD_CTX_free(inner)
      unsafe EVP_MD_CTX_free(outer)
      throw .unavailable
    }
    self.hash = hash
    unsafe self.inner = inner
    unsafe self.outer = outer
    unsafe self.message = message
    try digest(key)
    try begin()
  }

  deinit {
    unsafe EVP_MD_CTX_free(inner)
    unsafe EVP_MD_CTX_free(outer)
    unsafe EVP_MD_CTX_free(message)
  }

  /// Feeds the padded key, once with each of the two constants of RFC 2104, to the two contexts.
  private func digest(_ key: Span<UInt8>) throws(CryptoError) {
    var block = InlineArray<128, UInt8>(repeating: 0)
    var bytes = block.mutableSpan
    defer { ConstantTime.wipe(&bytes) }
    if key.count > hash.blockByteCount {
      try unsafe start(message)
      try update(key)
      try unsafe end(message, into: &bytes, at: 0)
    } else {
      for index in key.indices { bytes[index] = key[index] }
    }
    for index in 0..<hash.blockByteCount { bytes[index] ^= 0x36 }
    try unsafe start(inner)
    try unsafe feed(bytes.span.extracting(0..<hash.blockByteCount), to: inner)
    for index in 0..<hash.blockByteCount { bytes[index] ^= 0x36 ^ 0x5c }
    try unsafe start(outer)
    try unsafe feed(bytes.span.extracting(0..<hash.blockByteCount), to: outer)
  }

  /// Starts a new message under the same key, whatever became of the last one.
  package func begin() throws(CryptoError) {
    guard unsafe EVP_MD_CTX_copy_ex(message, inner) == 1 else { throw failure() }
  }

  /// Feeds bytes of the message.
  package func update(_ bytes: Span<UInt8>) throws(CryptoError) {
    try unsafe feed(bytes, to: message)
  }

  /// Feeds a byte of the message.
  package func update(_ value: UInt8) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 1)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt16) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 2)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt32) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 4)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt64) throws(CryptoError) {
    try update(bigEndian: value, byteCount: 8)
  }

  private func update(bigEndian value: UInt64, byteCount: Int) throws(CryptoError) {
    let shifted = (value << UInt64(64 - 8 * byteCount)).bigEndian
    let isFed = unsafe withUnsafeBytes(of: shifted) { bytes in
      unsafe EVP_DigestUpdate(
        message,
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        byteCount
      ) == 1
    }
    guard isFed else { throw failure() }
  }

  /// Ends the message and writes its authentication code, whole, at `offset` of `output`.
  package func finish(
    into output: inout MutableSpan<UInt8>,
    at offset: Int = 0
  ) throws(CryptoError) {
    guard offset >= 0, output.count - offset >= hash.byteCount else { throw .invalidLength }
    var digest = InlineArray<64, UInt8>(repeating: 0)
    var bytes = digest.mutableSpan
    defer { ConstantTime.wipe(&bytes) }
    try unsafe end(message, into: &bytes, at: 0)
    guard unsafe EVP_MD_CTX_copy_ex(message, outer) == 1 else { throw failure() }
    try unsafe feed(bytes.span.extracting(0..<hash.byteCount), to: message)
    try unsafe end(message, into: &output, at: offset)
  }

  private func start(_ context: OpaquePointer) throws(CryptoError) {
    guard unsafe EVP_DigestInit_ex(context, hash.algorithm, nil) == 1 else { throw failure() }
  }

  private func feed(_ bytes: Span<UInt8>, to context: OpaquePointer) throws(CryptoError) {
    let isFed = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.isEmpty || EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }
    guard isFed else { throw failure() }
  }

  /// Ends a digest; there is room for it at `offset`.
  private func end(
    _ context: OpaquePointer,
    into output: inout MutableSpan<UInt8>,
    at offset: Int
  ) throws(CryptoError) {
    let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let target = output.baseAddress else { return false }
      return unsafe EVP_DigestFinal_ex(context, target + offset, nil) == 1
    }
    guard isDone else { throw failure() }
  }

  private func failure() -> CryptoError {
    ERR_clear_error()
    return .unavailable
  }
}

extension HMAC.Hash {
  fileprivate var algorithm: OpaquePointer? {
    switch self {
    case .sha256: unsafe Algorithms.sha256
    case .sha512: unsafe Algorithms.sha512
    }
  }
}
