import Foundation
import TestSupport

/// A system bus of its own, on which python-dbusmock plays logind.
final class MockedLogind {
  static let isAvailable =
    ["/usr/bin/dbus-daemon", "/usr/bin/dbus-monitor", "/usr/lib/python3/dist-packages/dbusmock"]
    .allSatisfy { FileManager.default.fileExists(atPath: $0) } && Python.isInstalled

  static let absence = "needs dbus-daemon, dbus-monitor and python3-dbusmock"

  /// Starts the bus and the mock, writes the bus's address to a file, and waits for its own end.
  private static let server = """
    import dbusmock, os, signal, sys
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    dbusmock.DBusTestCase.start_system_bus()
    server, logind = dbusmock.DBusTestCase.spawn_server_template("logind", {})
    logind.AddSession("c1", "seat0", 1000, "somebody", True, dbus_interface=dbusmock.MOCK_IFACE)
    with open(sys.argv[1] + ".new", "w") as file: file.write(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    signal.sigwait([signal.SIGTERM])
    server.kill()
    os.kill(dbusmock.DBusTestCase.system_bus_pid, signal.SIGKILL)
    """

  private static let emission = """
    import dbus, dbusmock, sys
    manager = "org.freedesktop.login1.Manager"
    session = "org.freedesktop.login1.Session"
    path, interface, name, signature, arguments = {
      "sleep": ("", manager, "PrepareForSleep", "b", [True]),
      "wake": ("", manager, "PrepareForSleep", "b", [False]),
      "lock": ("/session/c1", session, "Lock", "", []),
      "unlock": ("/session/c1", session, "Unlock", "", []),
    }[sys.argv[1]]
    logind = dbus.SystemBus().get_object("org.freedesktop.login1", "/org/freedesktop/login1" + path)
    logind.EmitSignal(interface, name, signature, arguments, dbus_interface=dbusmock.MOCK_IFACE)
    """

  let variables: [String: String]
  /// Holds what the bus needs.
  private let folder: TemporaryFolder
  private let process: ChildProcess

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    var request = Python.script(Self.server, [folder.path("address")])
    request.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path]
    process = try ChildProcess(request)
    guard eventually({ folder.has("address") }), let address = folder.contents(of: "address")
    else { throw DeadlineExceeded() }
    variables = ["DBUS_SYSTEM_BUS_ADDRESS": String(decoding: address, as: UTF8.self)]
  }

  deinit {
    process.send(SIGTERM)
    _ = try? process.finish()
  }

  /// Lets logind say something, and returns when it has been said.
  func emit(_ signal: String) throws {
    let request = Python.script(Self.emission, [signal], variables: variables)
    let outcome = try ChildProcess(request).finish()
    guard outcome.exitCode == 0 else { throw Failure(text: outcome.errorText) }
  }

  struct Failure: Error {
    let text: String
  }
}
