import Glibc

/// A program that was started.
struct RunningProcess {
  let number: pid_t
  let input: Pipe
  let output: Pipe

  /// Waits until it has written a byte, which is then taken.
  func awaitByte() { output.readByte() }

  /// Lets it find the end of its input.
  func endInput() { input.closeWriteEnd() }

  /// Waits until it ends and returns what else it wrote to standard output.
  ///
  /// - Throws: ``BenchmarkError/child(status:)`` where it ends with another status than 0.
  func finish() throws(BenchmarkError) -> [UInt8] {
    let bytes = output.readAll()
    var status: Int32 = 0
    guard unsafe waitpid(number, &status, 0) == number
    else { throw .system("waitpid", number: errno) }
    guard status == 0 else { throw .child(status: status) }
    return bytes
  }
}

/// A pipe whose ends no child inherits but by a file action.
final class Pipe {
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

  deinit {
    closeWriteEnd()
    _ = Glibc.close(readEnd)
  }

  func readByte() {
    var byte: UInt8 = 0
    _ = unsafe read(readEnd, &byte, 1)
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
