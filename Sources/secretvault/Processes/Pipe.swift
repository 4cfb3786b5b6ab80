import CLinux
import Glibc

/// A pipe of this process, whose ends close by themselves.
final class Pipe {
  let readEnd: Descriptor
  let writeEnd: Descriptor
  private var isReadEndOpen = true
  private var isWriteEndOpen = true

  /// Makes a pipe that no other program inherits.
  ///
  /// - Throws: A system failure.
  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe secretvault_pipe(&ends) == 0 else { throw .system(errno, "cannot make a pipe") }
    readEnd = Descriptor(number: ends[0])
    writeEnd = Descriptor(number: ends[1])
  }

  deinit {
    closeReadEnd()
    closeWriteEnd()
  }

  /// Closes the reading end, once.
  func closeReadEnd() {
    if isReadEndOpen { close(readEnd.number) }
    isReadEndOpen = false
  }

  /// Closes the writing end, once.
  func closeWriteEnd() {
    if isWriteEndOpen { close(writeEnd.number) }
    isWriteEndOpen = false
  }
}
