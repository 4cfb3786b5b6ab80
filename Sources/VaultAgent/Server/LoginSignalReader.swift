/// Reads what `dbus-monitor` prints, line by line, for the two signals that lock.
///
/// A signal is a line such as `signal … interface=org.freedesktop.login1.Manager; member=PrepareForSleep`, and below
/// it one indented line for each argument: `boolean true` before the sleep, `boolean false` after it.
struct LoginSignalReader {
  /// Longer lines come from no signal that matters here.
  private static let lineLimit = 4096

  private var line: [UInt8] = []
  private var isSleepAnnounced = false

  /// Reads on, and says whether a signal to lock was among it.
  mutating func read(_ bytes: some Sequence<UInt8>) -> Bool {
    var locks = false
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        locks = isLock(String(decoding: line, as: UTF8.self)) || locks
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.lineLimit {
        line.append(byte)
      }
    }
    return locks
  }

  private mutating func isLock(_ line: String) -> Bool {
    if line.hasPrefix("signal ") {
      isSleepAnnounced = line.hasSuffix(
        "interface=org.freedesktop.login1.Manager; member=PrepareForSleep"
      )
      return line.hasSuffix("interface=org.freedesktop.login1.Session; member=Lock")
    }
    defer { isSleepAnnounced = false }
    return isSleepAnnounced && line.drop { $0 == " " } == "boolean true"
  }
}
