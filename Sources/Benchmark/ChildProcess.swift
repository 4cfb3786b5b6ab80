import Glibc

/// A program that is run to its end.
struct ChildProcess {
  let path: String
  let arguments: [String]
  var environment: [String] = []
  /// What it reads from standard input; less than a pipe holds.
  var input: [UInt8] = []

  /// Runs it and returns what it wrote to standard output.
  ///
  /// - Throws: ``BenchmarkError/child(status:)`` where it ends with another status than 0.
  func run() throws(BenchmarkError) -> [UInt8] {
    let process = try start()
    process.endInput()
    return try process.finish()
  }

  /// Starts it, and gives it its input without an end.
  func start() throws(BenchmarkError) -> RunningProcess {
    let output = try Pipe()
    let standardInput = try Pipe()
    let number = try spawn(reading: standardInput, writing: output)
    standardInput.write(input)
    output.closeWriteEnd()
    return RunningProcess(number: number, input: standardInput, output: output)
  }

  private func spawn(reading input: Pipe, writing output: Pipe) throws(BenchmarkError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.readEnd, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writeEnd, 1)
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
      for index in unsafe variables.indices { unsafe free(variables[index]) }
    }
    var child: pid_t = 0
    let number = unsafe posix_spawn(&child, path, &actions, nil, &words, &variables)
    guard number == 0 else { throw .system("posix_spawn", number: number) }
    return child
  }
}
