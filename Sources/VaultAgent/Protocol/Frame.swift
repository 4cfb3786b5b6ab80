package import SecretMemory

/// What stands before every message: its length, the version of the protocol, and its kind.
///
/// `u32 length, big endian, of what follows | u8 version | u8 kind`; the body takes the rest.
package struct FrameHeader: Sendable {
  /// The only version there is; both sides refuse any other.
  package static let version: UInt8 = 2

  /// The size of a header, in bytes.
  package static let byteCount = 6

  /// The version that the sender speaks.
  package let version: UInt8

  /// The operation of a request, or the kind of a reply.
  package let kind: UInt8

  /// The size of the body that follows, in bytes.
  package let bodyByteCount: Int

  /// Describes a body of this version.
  package init(kind: UInt8, bodyByteCount: Int) {
    version = Self.version
    self.kind = kind
    self.bodyByteCount = bodyByteCount
  }

  /// Reads a header, or returns `nil` where the length does not even cover version and kind.
  package init?(parsing bytes: InlineArray<6, UInt8>) {
    var length: UInt32 = 0
    for index in 0..<4 { length = length << 8 | UInt32(bytes[index]) }
    guard length >= 2 else { return nil }
    version = bytes[4]
    kind = bytes[5]
    bodyByteCount = Int(length) - 2
  }

  /// The header as it is sent.
  package var bytes: [UInt8] {
    let length = UInt32(clamping: bodyByteCount + 2)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [version, kind]
  }
}

/// How long a body may be.
package enum FrameLimit {
  /// Messages without a secret: 64 KiB.
  package static let ordinary = 64 * 1024

  /// Messages with a secret or an item, or a list: 1 MiB, and 96 KiB for the attributes that travel along.
  package static let large = 1024 * 1024 + 96 * 1024
}

/// A message that came in whole; its body is in locked memory, whatever it holds.
package struct IncomingFrame: ~Copyable, Sendable {
  /// What stood before the body.
  package let header: FrameHeader

  /// The body.
  package let body: LockedBuffer

  /// Puts the two together.
  package init(header: FrameHeader, body: consuming LockedBuffer) {
    self.header = header
    self.body = body
  }

  /// Starts reading the body.
  package consuming func reader() -> MessageReader { MessageReader(body) }
}
