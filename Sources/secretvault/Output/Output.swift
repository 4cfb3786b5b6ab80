import Glibc
import SecretVault

/// A buffered way out for text, and an unbuffered one for secrets.
final class Output {
  private static let bufferLimit = 64 * 1024

  private let descriptor: Descriptor
  private let name: String
  private var buffer: [UInt8] = []

  init(_ descriptor: Descriptor, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Runs `body` with an output that nothing comes out of, to see that all can be written.
  static func discarding(_ body: (Output, () throws -> Void) throws -> Void) throws {
    let number = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { throw Failure.system(errno, "cannot open /dev/null") }
    defer { close(number) }
    try body(Output(Descriptor(number: number), name: "to /dev/null"), {})
  }

  var isTerminal: Bool { descriptor.isTerminal }

  /// Writes text.
  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes bytes that are no secret.
  func write(_ bytes: [UInt8]) throws(Failure) {
    buffer += bytes
    if buffer.count > Self.bufferLimit { try flush() }
  }

  /// Writes a secret, straight from its locked memory.
  func write(_ secret: SecretBytes) throws(Failure) {
    try flush()
    try secret.withBytes { bytes throws(Failure) in try descriptor.write(bytes, name: name) }
  }

  /// Writes out what is still held.
  func flush() throws(Failure) {
    let bytes = buffer
    buffer = []
    try descriptor.write(bytes.span, name: name)
  }
}
