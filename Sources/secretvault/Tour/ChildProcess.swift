import Glibc

/// A run of the tool's own executable.
enum ChildProcess {
  /// `POSIX_SPAWN_SETSID`, which the Glibc module lacks: a new session has no terminal to ask on.
  private static let startsSession: Int16 = 0x80

  /// Runs the executable with its standard descriptors on files, and waits for its end.
  ///
  /// - Returns: The exit code, or 128 and the number of the signal that ended it.
  /// - Throws: A system failure when it cannot be started.
  static func run(
    arguments: [String],
    environment: [String],
    input: String,
    output: String,
    notes: String
  ) throws(Failure) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let created = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, created, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, notes, created, 0o600)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, startsSession)

    var process: pid_t = 0
    let error = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        let executable = "/proc/self/exe"
        return unsafe posix_spawn(
          &process,
          executable,
          &actions,
          &attributes,
          arguments,
          environment
        )
      }
    }
    if error != 0 { throw .system(error, "cannot run the tool itself") }
    return try waitForEnd(of: process)
  }

  private static func waitForEnd(of process: pid_t) throws(Failure) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { throw .system(errno, "cannot wait for the tool itself") }
    }
    // wait(2): the low seven bits are the signal, the next byte the exit code.
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Lends strings as a list that ends with a null pointer, as `execve(2)` wants it.
  private static func withCStrings<R>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe body(&pointers)
  }
}
