import CLinux
import Glibc

/// A program that the tool starts: its own executable again, or one that a variable names.
///
/// It is started directly, never through a shell, and gets no descriptor but the ones it is given.
struct ChildProcess {
  /// `POSIX_SPAWN_SETSID`, which the Glibc module lacks.
  private static let newSession: Int16 = 0x80

  /// What to start.
  struct Request {
    /// A path, or a name to be looked up in `PATH`.
    var executable = "/proc/self/exe"
    /// All words, the program's name first.
    var arguments: [String]
    /// The variables as `NAME=VALUE`; `nil` for those of this process.
    var environment: [String]?
    /// What its descriptors are connected to, from standard input on.
    var streams: [Stream]
    /// Whether it runs in a session of its own, hence without a terminal.
    var startsSession = false
  }

  /// What a descriptor of the program is connected to.
  enum Stream {
    case nothing
    case input(String)
    case newFile(String)
    case descriptor(Int32)
  }

  private let identifier: pid_t

  /// Starts a program.
  ///
  /// - Throws: A system failure that calls the program `name`.
  init(_ request: Request, name: String) throws(Failure) {
    // Where the caller ignores the end of children, their exit codes are lost.
    signal(SIGCHLD, SIG_DFL)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe Self.connect(request.streams, &actions)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, request.startsSession ? Self.newSession : 0)

    var process: pid_t = 0
    let error = unsafe withCStrings(request.arguments) { arguments in
      unsafe Self.withEnvironment(request.environment) { environment in
        unsafe posix_spawnp(
          &process,
          request.executable,
          &actions,
          &attributes,
          arguments,
          environment
        )
      }
    }
    if error != 0 { throw .system(error, "cannot run \(name)") }
    identifier = process
  }

  /// Waits until the program ends.
  ///
  /// - Returns: The exit code, or 128 and the number of the signal that ended it.
  func waitForEnd() throws(Failure) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 {
      if errno != EINTR { throw .system(errno, "cannot wait for a program") }
    }
    // wait(2): the low seven bits are the signal, the next byte the exit code.
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private static func connect(
    _ streams: [Stream],
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>
  ) {
    let created = O_WRONLY | O_CREAT | O_TRUNC
    for (number, stream) in streams.enumerated() {
      let number = Int32(number)
      switch stream {
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0)
      case .input(let path):
        unsafe posix_spawn_file_actions_addopen(actions, number, path, O_RDONLY, 0)
      case .newFile(let path):
        unsafe posix_spawn_file_actions_addopen(actions, number, path, created, 0o600)
      case .descriptor(let source):
        unsafe posix_spawn_file_actions_adddup2(actions, source, number)
      }
    }
    _ = unsafe secretvault_close_from(actions, Int32(streams.count))
  }

  private static func withEnvironment<R>(
    _ variables: [String]?,
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> R
  ) -> R {
    guard let variables else { return unsafe body(secretvault_environment()) }
    return unsafe withCStrings(variables, body)
  }
}

/// Lends strings as a list that ends with a null pointer, as `execve(2)` wants it.
func withCStrings<R>(
  _ strings: [String],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
  defer {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
  }
  return unsafe body(&pointers)
}
