import CLinux
import Glibc
import SecretVault

/// Learns from `systemd-logind` that the machine is about to sleep, or that a login session was locked.
///
/// The system's own `dbus-monitor` prints what it says on the system bus. Where that program is missing or ends, the
/// agent works on without; it is started again after a pause.
final class SystemBusMonitor {
  private static let program = "/usr/bin/dbus-monitor"
  private static let arguments = [
    program, "--system",
    "type='signal',sender='org.freedesktop.login1',"
      + "interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
    "type='signal',sender='org.freedesktop.login1',"
      + "interface='org.freedesktop.login1.Session',member='Lock'",
  ]
  private static let addressVariable = "DBUS_SYSTEM_BUS_ADDRESS"

  private let pause: Duration
  private var process: pid_t?
  private var lines = LoginSignalReader()

  /// What the program prints; `nil` while it does not run.
  private(set) var output: Descriptor?
  /// When the program is to be started; `nil` while it runs, and where there is no such program.
  private(set) var nextStart: ContinuousClock.Instant?

  init(pause: Duration) {
    self.pause = pause
    nextStart = unsafe access(Self.program, X_OK) == 0 ? .now : nil
  }

  /// Starts the program where it is time for that.
  func startIfDue() {
    guard let due = nextStart, due <= .now else { return }
    nextStart = .now + pause
    guard let (reading, writing) = try? Descriptor.pipe() else { return }
    let null = Descriptor(unsafe secretvault_openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0))
    let variables = unsafe getenv(Self.addressVariable).map { address in
      [unsafe Self.addressVariable + "=" + String(cString: address)]
    }
    let child = unsafe Self.withCStrings(Self.arguments) { arguments in
      unsafe Self.withCStrings(variables ?? []) { variables in
        unsafe secretvault_start_tethered(
          Self.program,
          arguments,
          variables,
          null.number,
          writing.number
        )
      }
    }
    guard child > 0 else { return }
    process = child
    output = reading
    lines = LoginSignalReader()
    nextStart = nil
  }

  /// Reads what was printed, and says whether the vaults are to be locked.
  func readAndDecide() -> Bool {
    guard let output, output.wait(for: POLLIN, until: .now) else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(output.number, &bytes, bytes.count)
    if count > 0 { return lines.read(bytes.prefix(count)) }
    if count < 0, errno == EINTR { return false }
    stop()
    nextStart = .now + pause
    return false
  }

  /// Ends the program.
  func stop() {
    output = nil
    guard let process else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    self.process = nil
  }

  /// Lends strings as a list that ends with a null pointer, as `execve(2)` wants it.
  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer {
      for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
    return unsafe body(&pointers)
  }
}
