import Glibc
import TestSupport
import Testing

/// What a vault holds after a change was cut off.
enum StateAfterKill {
  case old
  case new
}

/// The `number`th call of one kind that a program makes, counted from 1.
struct SystemCall: CustomStringConvertible {
  let name: String
  let number: Int

  var description: String { "\(name) \(number)" }
}

/// A program that is killed at each of its writes in turn.
struct KillSeries {
  // `strace` counts each kind by itself.
  private static let writes = [
    "pwrite64", "write", "fsync", "fdatasync", "ftruncate", "unlink", "unlinkat", "rename",
    "renameat", "renameat2", "mkdir",
  ]

  private var oldCount = 0
  private var newCount = 0

  /// Repeats `attempt`, for each kind of call with the first, the second and so on, until the program
  /// outlives it.
  ///
  /// As there is one moment at which a change takes effect, no kill may leave the old state once one at an
  /// earlier call of its kind has left the new.
  static func run(
    of program: String,
    _ attempt: (SystemCall) throws -> (ChildProcess.Outcome, StateAfterKill)
  ) throws {
    var series = KillSeries()
    for name in writes {
      var isChanged = false
      for number in 1...1000 {
        let call = SystemCall(name: name, number: number)
        let (outcome, state) = try attempt(call)
        guard outcome.signal == SIGKILL else {
          #expect(outcome.exitCode == 0, "\(program) failed: \(outcome.text)\(outcome.errorText)")
          #expect(state == .new)
          break
        }
        #expect(state == .new || !isChanged, "the kill at \(call) undid a change")
        isChanged = isChanged || state == .new
        series.count(state)
      }
    }
    #expect(series.oldCount > 0)
    #expect(series.newCount > 0)
    print("\(program): \(series.oldCount) kills left the old state, \(series.newCount) the new")
  }

  private mutating func count(_ state: StateAfterKill) {
    switch state {
    case .old: oldCount += 1
    case .new: newCount += 1
    }
  }
}
