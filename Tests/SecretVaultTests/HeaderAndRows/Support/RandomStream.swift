import Synchronization
import VaultCrypto

extension RandomSource {
  /// A stream that is the same at every run: SHA-512 over a name and a counter, block by block.
  static func stream(_ name: String) -> RandomSource {
    let stream = BlockStream(name)
    return RandomSource { bytes throws(CryptoError) in try stream.fill(&bytes) }
  }

  /// A generator that is broken and gives one value only.
  static func constant(_ byte: UInt8) -> RandomSource {
    RandomSource { bytes throws(CryptoError) in
      for index in bytes.indices { bytes[index] = byte }
    }
  }
}

private final class BlockStream: Sendable {
  private struct State {
    var counter: UInt64 = 0
    var unused: [UInt8] = []
  }

  private let name: [UInt8]
  private let state = Mutex(State())

  init(_ name: String) {
    self.name = Array(name.utf8)
  }

  func fill(_ bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    let count = bytes.count
    let taken = try state.withLock { state throws(CryptoError) in
      while state.unused.count < count {
        state.counter += 1
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: state.counter >> (56 - 8 * $0)) }
        let input = name + counter
        let block = try SHA512.hash(input.span, Span())
        state.unused += block.indices.map { block[$0] }
      }
      defer { state.unused.removeFirst(count) }
      return Array(state.unused.prefix(count))
    }
    for index in bytes.indices { bytes[index] = taken[index] }
  }
}
