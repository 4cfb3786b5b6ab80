import CLinux
import Glibc

/// Where keys, salts and identifiers come from; tests put a fixed stream in its place.
package struct RandomSource: Sendable {
  private let fillBytes: @Sendable (inout MutableSpan<UInt8>) throws(CryptoError) -> Void

  /// Makes a source from a function that fills every byte it is given.
  package init(
    _ fillBytes: @escaping @Sendable (inout MutableSpan<UInt8>) throws(CryptoError) -> Void
  ) {
    self.fillBytes = fillBytes
  }

  /// Fills all bytes.
  package func fill(_ bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    try fillBytes(&bytes)
  }

  /// Makes `count` bytes.
  package func bytes<let count: Int>() throws(CryptoError) -> InlineArray<count, UInt8> {
    var result = InlineArray<count, UInt8>(repeating: 0)
    var bytes = result.mutableSpan
    try fillBytes(&bytes)
    return result
  }

  /// The kernel's generator (`getrandom(2)`): safe across a fork, since the process keeps no state.
  package static let system = RandomSource { bytes throws(CryptoError) in
    var filled = 0
    while filled < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe secretvault_getrandom(start + filled, buffer.count - filled)
      }
      if got > 0 { filled += got } else if got < 0, errno != EINTR { throw .unavailable }
    }
  }
}
