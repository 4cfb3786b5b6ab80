import Glibc
import TestSupport

/// `strace(1)`, which watches system calls, makes them fail, or kills a program at one of them.
enum SystemCallTracer {
  private static let path = "/usr/bin/strace"

  /// Whether it is there and may trace.
  static let isUsable: Bool = {
    let trial = ChildProcess.Request(executable: "/bin/true", arguments: [], environment: [:])
      .started(by: path, ["-f", "-o", "/dev/null"])
    return (try? trial.run().exitCode) == 0
  }()

  /// Whether it can also read the arguments of the calls, and tell their files: the tool closes itself to its own user,
  /// but not to root.
  static let readsArguments = isUsable && geteuid() == 0

  /// The same run, killed just before a call; of the calls on one file only, where one is named.
  static func kill(
    _ request: ChildProcess.Request,
    before call: SystemCall,
    on file: String? = nil
  ) -> ChildProcess.Request {
    inject("signal=SIGKILL:when=\(call.number)", into: call.name, of: request, on: file)
  }

  /// The same run, in which every call of a kind on a file fails.
  static func fail(
    _ calls: String,
    with error: String,
    of request: ChildProcess.Request,
    on file: String
  ) -> ChildProcess.Request {
    inject("error=\(error)", into: calls, of: request, on: file)
  }

  /// The same run, with every call of a kind written into a file.
  static func record(
    _ calls: String,
    of request: ChildProcess.Request,
    to file: String,
    _ options: [String]
  ) -> ChildProcess.Request {
    request.started(by: path, ["-f", "-o", file, "-e", "trace=\(calls)"] + options)
  }

  private static func inject(
    _ action: String,
    into calls: String,
    of request: ChildProcess.Request,
    on file: String?
  ) -> ChildProcess.Request {
    var words = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)"]
    words += ["-e", "inject=\(calls):\(action)"]
    words += file.map { ["-P", $0] } ?? []
    return request.started(by: path, words)
  }
}
