import Glibc
import SecretVault

/// An open file descriptor that somebody else closes.
struct Descriptor: Hashable, Sendable {
  let number: Int32

  static let standardInput = Descriptor(number: STDIN_FILENO)
  static let standardOutput = Descriptor(number: STDOUT_FILENO)
  static let standardError = Descriptor(number: STDERR_FILENO)

  /// Fills the places of standard descriptors that the caller closed.
  ///
  /// Else a file of ours would get one of their numbers and be written to by accident. Each is opened the
  /// wrong way round, so that reading or writing it still fails, as on a closed one.
  static func reserveStandardDescriptors() {
    for (descriptor, mode) in [
      (standardInput, O_WRONLY), (standardOutput, O_RDONLY), (standardError, O_RDONLY),
    ] where fcntl(descriptor.number, F_GETFD) < 0 {
      // The lowest free number is the one that was just found closed.
      _ = unsafe open("/dev/null", mode | O_CLOEXEC)
    }
  }

  /// Opens a file for reading, and closes it after `body`.
  ///
  /// - Throws: A system failure that names the file, and what `body` throws.
  static func reading<R>(_ path: String, _ body: (Descriptor) throws -> R) throws -> R {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      throw Failure.system(errno, "cannot read \(TextEscaping.escaped(path))")
    }
    defer { close(number) }
    return try body(Descriptor(number: number))
  }

  var isTerminal: Bool { isatty(number) == 1 }

  /// Whether it is open for reading.
  var isReadable: Bool {
    let flags = fcntl(number, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  /// Fills some of the given places of a buffer, as many as one read gives; zero at the end.
  ///
  /// - Throws: A system failure that names the input as `name`.
  func read(
    into buffer: inout MutableSpan<UInt8>,
    at places: Range<Int>,
    name: String
  ) throws(Failure) -> Int {
    let places = places.clamped(to: 0..<buffer.count)
    while true {
      let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return 0 }
        return unsafe Glibc.read(number, start + places.lowerBound, places.count)
      }
      if count >= 0 { return count }
      let error = errno
      if error == EAGAIN {
        wait(for: POLLIN)
      } else if error != EINTR {
        throw .system(error, "cannot read \(name)")
      }
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: A system failure that names the output as `name`.
  func write(_ bytes: Span<UInt8>, name: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return 0 }
        return unsafe Glibc.write(number, start + written, bytes.count - written)
      }
      if count >= 0 {
        written += count
        continue
      }
      let error = errno
      if error == EAGAIN {
        wait(for: POLLOUT)
      } else if error != EINTR {
        throw .system(error, "cannot write \(name)")
      }
    }
  }

  /// Keeps it from a program that takes the place of this process, for which standard input is then empty.
  ///
  /// Standard output and standard error stay as they are.
  func withholdFromProgram() {
    if self == .standardInput {
      let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      dup2(nothing, number)
    } else if number > Descriptor.standardError.number {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Waits until a descriptor that does not block is ready.
  private func wait(for event: Int32) {
    var entry = pollfd(fd: number, events: Int16(event), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }
}
