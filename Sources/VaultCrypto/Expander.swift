import SecretMemory

/// HKDF-Expand-SHA-512 of up to one block, keyed once: it derives keys, computes lookups and
/// authenticates lists (RFC 5869, section 2.3).
///
/// The keys are uniform, so there is no extract step. For up to 64 bytes this is one HMAC of the label's
/// tag, the context and the byte 1, and so it streams. One thread at a time may use an instance.
package final class Expander {
  private let hmac: HMAC

  /// Keys a context with 32 bytes.
  package init(key: Span<UInt8>) throws(CryptoError) {
    hmac = try HMAC(key: key)
  }

  /// Computes 32 bytes from a label and the context that `feed` streams.
  package func expand(
    _ label: Label,
    _ feed: (HMAC) throws(CryptoError) -> Void = { _ in }
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    var block = InlineArray<64, UInt8>(repeating: 0)
    var bytes = block.mutableSpan
    defer { ConstantTime.wipe(&bytes) }
    try fill(&bytes, label, feed)
    return InlineArray { bytes[$0] }
  }

  /// Computes 32 bytes from a label and a context.
  package func expand(
    _ label: Label,
    over context: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    try expand(label) { hmac throws(CryptoError) in try hmac.update(context) }
  }

  /// Derives a key from a label and the context that `feed` streams.
  package func key<Purpose: KeyRole>(
    _ label: Label,
    as purpose: Purpose.Type = Purpose.self,
    _ feed: (HMAC) throws(CryptoError) -> Void = { _ in }
  ) throws(CryptoError) -> Key<Purpose> {
    var block = InlineArray<64, UInt8>(repeating: 0)
    var bytes = block.mutableSpan
    defer { ConstantTime.wipe(&bytes) }
    try fill(&bytes, label, feed)
    return try Key(copying: bytes.span.extracting(0..<SecretKey.byteCount))
  }

  private func fill(
    _ block: inout MutableSpan<UInt8>,
    _ label: Label,
    _ feed: (HMAC) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    try hmac.begin()
    try hmac.update(label.tag.span)
    try feed(hmac)
    try hmac.update(UInt8(1))
    try hmac.finish(into: &block)
  }
}
