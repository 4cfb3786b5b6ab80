import Glibc
import Synchronization

/// The two ends of a pipe, both closed in children that are not given them.
struct Pipe {
  /// Held while descriptors are made or inherited: a child that is started in between would keep a pipe
  /// of another test open, which then never ends.
  static let inheritance = Mutex(())

  let readEnd: Int32
  let writeEnd: Int32

  /// Makes a pipe whose numbers are too high to collide with those that children are given.
  init() throws(SystemFailure) {
    (readEnd, writeEnd) = try Pipe.inheritance.withLock { _ throws(SystemFailure) in
      var ends: [Int32] = [0, 0]
      guard unsafe pipe(&ends) == 0 else { throw SystemFailure("pipe") }
      defer { for end in ends { close(end) } }
      return (try Pipe.raised(ends[0]), try Pipe.raised(ends[1]))
    }
  }

  /// A copy of a descriptor with a high number.
  static func raised(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 200)
    if copy < 0 { throw SystemFailure("fcntl") }
    return copy
  }
}

/// A system call that failed in the test's own machinery.
public struct SystemFailure: Error, CustomStringConvertible {
  /// The call and its error number.
  public let description: String

  /// Takes the current error number.
  init(_ call: String) { description = "\(call): errno \(errno)" }

  /// Takes the result of a call that returns its error number.
  init(_ call: String, number: Int32) { description = "\(call): errno \(number)" }
}

extension Duration {
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
