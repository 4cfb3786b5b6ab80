import Glibc
import SecretVault

// How the tool talks to the person at the terminal: questions go to /dev/tty, never to standard output,
// so that `x=$(secretvault get a)` holds the secret and nothing else. Answers come from there too, never
// from standard input, which may carry a secret. Nothing typed is shown, nor its length.

/// The terminal that controls the process.
final class Terminal {
  private let descriptor: Descriptor

  private init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Opens the terminal, or returns `nil` where the process has none.
  static func open() -> Terminal? {
    let number = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return number < 0 ? nil : Terminal(Descriptor(number: number))
  }

  deinit { close(descriptor.number) }

  /// Asks for a line that is not shown.
  ///
  /// - Throws: ``Failure/cancelled`` after ^C, ^\ or ^D; a failure for a line that is too long.
  func ask(_ question: String) throws -> SecretBytes {
    try withoutEcho { signals in
      try readLine(question, signals)
    }
  }

  /// Asks for the same line twice, so that a slip is noticed.
  ///
  /// What was pasted beyond the first line arrives as the second answer, hence differs and is refused,
  /// instead of being lost in silence.
  ///
  /// - Throws: ``Failure/cancelled``, or a usage failure where the answers differ.
  func askTwice(_ question: String, again: String) throws -> SecretBytes {
    try withoutEcho { signals in
      let first = try readLine(question, signals)
      let second = try readLine(again, signals)
      guard first.constantTimeEquals(second) else {
        throw Failure.usage("the two answers differ; type or paste one line, twice the same")
      }
      return first
    }
  }

  /// Shows text.
  func show(_ text: String) throws(Failure) {
    try descriptor.write(Array(text.utf8).span, name: "to the terminal")
  }

  /// Shows a secret, such as a recovery code.
  func show(_ secret: SecretBytes) throws(Failure) {
    try secret.withBytes { bytes throws(Failure) in
      try descriptor.write(bytes, name: "to the terminal")
    }
  }
}

extension Terminal {
  /// Runs questions with echo off, and restores the terminal in every case: at the end, after a key
  /// that cancels, and before a signal acts that would end the process.
  private func withoutEcho<R>(_ body: (SignalWatch) throws -> R) throws -> R {
    try SignalWatch.hold { signals in
      var saved = termios()
      guard unsafe tcgetattr(descriptor.number, &saved) == 0 else {
        throw Failure.system(errno, "cannot use the terminal")
      }
      silence(saved)
      do {
        let result = try body(signals)
        unsafe tcsetattr(descriptor.number, TCSADRAIN, &saved)
        return result
      } catch {
        // The rest of what was typed or pasted must not run as commands of the shell.
        unsafe tcsetattr(descriptor.number, TCSAFLUSH, &saved)
        throw error
      }
    }
  }

  private func silence(_ mode: termios) {
    var silent = Self.silent(mode)
    unsafe tcsetattr(descriptor.number, TCSADRAIN, &silent)
  }

  /// Asks anew after a stop: to other programs the shell has given a terminal that shows what is typed.
  private func resume(_ question: String) throws(Failure) {
    var mode = termios()
    if unsafe tcgetattr(descriptor.number, &mode) == 0 { silence(mode) }
    try show(question)
  }

  /// Keys arrive one by one, unseen, and ^C as a byte; output and the translation of Return stay.
  private static func silent(_ mode: termios) -> termios {
    var silent = mode
    unsafe cfmakeraw(&silent)
    silent.c_iflag = mode.c_iflag
    silent.c_oflag = mode.c_oflag
    silent.c_cflag = mode.c_cflag
    return silent
  }

  private func readLine(_ question: String, _ signals: SignalWatch) throws -> SecretBytes {
    try show(question)
    var editor = LineEditor()
    var step = LineEditor.Step.cancelled
    var failure: Failure?
    let buffer = try SecretBytes(count: SecretReader.secretLimit + 1) { line in
      do throws(Failure) {
        step = try edit(&line, &editor, signals) { () throws(Failure) in try resume(question) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try show("\n")
    if step == .cancelled { throw Failure.cancelled }
    if editor.isFull { throw Failure.limitExceeded }
    if editor.hasControlCharacter {
      throw Failure.usage("control characters cannot be typed here; give them by a file or a pipe")
    }
    return try buffer.prefix(editor.count)
  }

  /// Reads keys until one ends the line; a terminal that is gone, or a signal, cancels.
  private func edit(
    _ line: inout MutableSpan<UInt8>,
    _ editor: inout LineEditor,
    _ signals: SignalWatch,
    resume: () throws(Failure) -> Void
  ) throws(Failure) -> LineEditor.Step {
    var step = LineEditor.Step.more
    while step == .more {
      guard try signals.waitForInput(descriptor, resume: resume) else { return .cancelled }
      let place = editor.count..<(editor.count + 1)
      if try descriptor.read(into: &line, at: place, name: "the terminal") == 0 {
        return .cancelled
      }
      step = editor.accept(&line)
    }
    return step
  }
}
