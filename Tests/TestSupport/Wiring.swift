import Glibc
import Synchronization

/// The descriptors between a test and a child, and its start.
struct Wiring {
  /// `POSIX_SPAWN_SETSID`, which the Glibc module lacks.
  private static let startsSession: Int16 = 0x80
  /// A test has no more open; a number that is not open is closed without an error.
  private static let closedDescriptors: Int32 = 512

  /// The test's ends.
  var pump = Pump()
  /// For each number in the child, where it comes from; `nil` is closed.
  private var sources: [(number: Int32, source: Source)] = []
  private var childEnds: [Int32] = []

  private enum Source {
    case descriptor(Int32)
    case file(String, flags: Int32)
    case closed
  }

  init(_ request: ChildProcess.Request) throws {
    try connectInput(request.input, to: STDIN_FILENO, request.terminal)
    try connectOutput(request.output, to: STDOUT_FILENO, request.terminal)
    try connectOutput(request.errors, to: STDERR_FILENO, request.terminal)
    for (number, bytes) in request.descriptors {
      try connectInput(.bytes(bytes), to: number, request.terminal)
    }
    for (number, descriptor) in request.sharedDescriptors {
      sources.append((number, .descriptor(descriptor)))
    }
    // A pipe that nobody writes to, and that ends when the process does.
    pump.drain(try connectPipe(198, childReads: false), as: 198)
  }

  /// Closes what only the child needs.
  mutating func closeChildEnds() {
    for end in childEnds { close(end) }
    childEnds = []
  }

  /// Starts the program.
  func spawn(_ request: ChildProcess.Request) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let terminal = request.terminal {
      // The first terminal that a session's leader opens becomes the one that controls it.
      unsafe posix_spawn_file_actions_addopen(&actions, 199, terminal.path, O_RDWR, 0)
      unsafe posix_spawn_file_actions_addclose(&actions, 199)
    }
    for (number, source) in sources {
      switch source {
      case .descriptor(let end): unsafe posix_spawn_file_actions_adddup2(&actions, end, number)
      case .file(let path, let flags):
        unsafe posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      case .closed: unsafe posix_spawn_file_actions_addclose(&actions, number)
      }
    }
    // What other tests have open at this moment is nothing to the child, which would keep their files and locks alive.
    let wired = Set(sources.map(\.number)).union([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO])
    for number in 0..<Self.closedDescriptors where !wired.contains(number) {
      unsafe posix_spawn_file_actions_addclose(&actions, number)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    // The threads that run tests may hold signals back, which a child would inherit.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let flags = Self.startsSession | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    unsafe posix_spawnattr_setflags(&attributes, flags)

    let arguments = [Array(request.executable.utf8)] + request.arguments
    let environment = request.environment.map { Array("\($0.key)=\($0.value)".utf8) }
    var identifier: pid_t = 0
    let error = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        Pipe.inheritance.withLock { _ in
          unsafe posix_spawn(
            &identifier,
            request.executable,
            &actions,
            &attributes,
            arguments,
            environment
          )
        }
      }
    }
    if error != 0 { throw SystemFailure("posix_spawn", number: error) }
    return identifier
  }

  private mutating func connectInput(
    _ stream: ChildProcess.Stream,
    to number: Int32,
    _ terminal: PseudoTerminal?
  ) throws {
    switch stream {
    case .bytes(let bytes):
      let pipe = try connectPipe(number, childReads: true)
      pump.feed(pipe, bytes)
    case .silent: pump.hold(try connectPipe(number, childReads: true))
    default: try connect(stream, to: number, flags: O_RDONLY, terminal)
    }
  }

  private mutating func connectOutput(
    _ stream: ChildProcess.Stream,
    to number: Int32,
    _ terminal: PseudoTerminal?
  ) throws {
    switch stream {
    case .bytes, .silent: pump.drain(try connectPipe(number, childReads: false), as: number)
    default: try connect(stream, to: number, flags: O_WRONLY | O_CREAT, terminal)
    }
  }

  private mutating func connectPipe(_ number: Int32, childReads: Bool) throws -> Int32 {
    let pipe = try Pipe()
    let childEnd = childReads ? pipe.readEnd : pipe.writeEnd
    childEnds.append(childEnd)
    sources.append((number, .descriptor(childEnd)))
    return childReads ? pipe.writeEnd : pipe.readEnd
  }

  private mutating func connect(
    _ stream: ChildProcess.Stream,
    to number: Int32,
    flags: Int32,
    _ terminal: PseudoTerminal?
  ) throws {
    switch stream {
    case .file(let path): sources.append((number, .file(path, flags: flags)))
    case .terminal: sources.append((number, .file(terminal?.path ?? "/dev/null", flags: O_RDWR)))
    default: sources.append((number, .closed))
    }
  }
}

/// Lends byte strings as a list that ends with a null pointer.
private func withCStrings<R>(
  _ strings: [[UInt8]],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var pointers = unsafe strings.map { bytes in
    unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
  }
  unsafe pointers.append(nil)
  defer {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
  }
  return unsafe body(&pointers)
}
