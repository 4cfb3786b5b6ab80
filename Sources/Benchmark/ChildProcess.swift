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
    let output = try Pipe()
    defer { output.close() }
    let standardInput = try Pipe()
    defer { standardInput.close() }
    let child = try spawn(reading: standardInput, writing: output)
    standardInput.write(input)
    standardInput.closeWriteEnd()
    output.closeWriteEnd()
    let bytes = output.readAll()
    var status: Int32 = 0
    guard unsafe waitpid(child, &status, 0) == child
    else { throw .system("waitpid", number: errno) }
    guard status == 0 else { throw .child(status: status) }
    return bytes
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

/// A pipe whose ends no child inherits but by a file action.
private final class Pipe {
  let readEnd: Int32
  private(set) var writeEnd: Int32

  init() throws(BenchmarkError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .system("pipe", number: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  func write(_ bytes: [UInt8]) {
    _ = unsafe Glibc.write(writeEnd, bytes, bytes.count)
  }

  func closeWriteEnd() {
    if writeEnd >= 0 { _ = Glibc.close(writeEnd) }
    writeEnd = -1
  }

  func close() {
    closeWriteEnd()
    _ = Glibc.close(readEnd)
  }

  func readAll() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(readEnd, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
    }
  }
}
