import Glibc
import Synchronization

/// A terminal with a test at the keyboard.
public final class PseudoTerminal: Sendable {
  /// The path of the side that programs open.
  public let path: String
  private let keyboard: Int32
  /// Kept open, so that what a program wrote last can be read after its end.
  private let screen: Int32

  /// Makes a terminal with the usual modes: echo on, lines edited by the kernel.
  public init() throws {
    (keyboard, screen, path) = try Pipe.inheritance.withLock { _ in
      var keyboard: Int32 = -1
      var screen: Int32 = -1
      var name = [CChar](repeating: 0, count: 128)
      guard unsafe openpty(&keyboard, &screen, &name, nil, nil) == 0 else {
        throw SystemFailure("openpty")
      }
      defer {
        close(keyboard)
        close(screen)
      }
      let path = String(
        decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
        as: UTF8.self
      )
      return (try Pipe.raised(keyboard), try Pipe.raised(screen), path)
    }
  }

  deinit {
    close(keyboard)
    close(screen)
  }

  /// Whether what is typed is shown now.
  public var echoes: Bool {
    var mode = termios()
    unsafe tcgetattr(screen, &mode)
    return mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Shows what is typed again, as a shell does while one of its jobs is stopped.
  public func echo() {
    var mode = termios()
    unsafe tcgetattr(screen, &mode)
    mode.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
    unsafe tcsetattr(screen, TCSANOW, &mode)
  }

  /// Types text; `\r` is the Return key and `\u{3}` is ^C.
  public func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard unsafe write(keyboard, bytes, bytes.count) == bytes.count else {
      throw SystemFailure("write")
    }
  }

  /// Reads the screen until a text appears, and returns all that was read.
  ///
  /// - Throws: ``DeadlineExceeded`` with what was seen instead.
  @discardableResult
  public func expect(_ text: String, within limit: Duration = .seconds(60)) throws -> String {
    let deadline = ContinuousClock.now + limit
    var seen: [UInt8] = []
    while !String(decoding: seen, as: UTF8.self).contains(text) {
      let remaining = (deadline - ContinuousClock.now).milliseconds
      guard remaining > 0, let more = read(within: remaining) else {
        throw DeadlineExceeded(seen: String(decoding: seen, as: UTF8.self))
      }
      seen += more
    }
    return String(decoding: seen, as: UTF8.self)
  }

  /// Whatever is on the screen and was not read yet.
  public func rest() -> String {
    var seen: [UInt8] = []
    while let more = read(within: 0) { seen += more }
    return String(decoding: seen, as: UTF8.self)
  }

  private func read(within milliseconds: Int) -> [UInt8]? {
    var entry = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, Int32(milliseconds)) > 0 else { return nil }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(keyboard, &chunk, chunk.count)
    return count > 0 ? Array(chunk.prefix(count)) : nil
  }
}
