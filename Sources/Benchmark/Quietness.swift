import Glibc

/// How much of the processors others used during a measurement.
struct Quietness {
  private let machine: Double
  private let own: Double
  private let start: Double

  /// Starts to watch.
  init() {
    machine = Self.machineSeconds()
    own = Self.ownSeconds()
    start = Clock.microseconds
  }

  /// The processors' worth of time that others used since the start; the kernel counts in hundredths of
  /// a second.
  var others: Double {
    let elapsed = (Clock.microseconds - start) / 1e6
    let used = Self.machineSeconds() - machine - (Self.ownSeconds() - own)
    return elapsed > 0 ? max(0, used / elapsed) : 0
  }

  /// The time that all processors worked: user, nice, system, irq, softirq and steal of the first
  /// line of /proc/stat (proc(5)).
  private static func machineSeconds() -> Double {
    guard let file = unsafe fopen("/proc/stat", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard unsafe fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let fields = String(decoding: text, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).dropFirst().compactMap { Double($0) }
    guard fields.count >= 8 else { return 0 }
    let idle = fields[3] + fields[4]
    return (fields[0..<8].reduce(0, +) - idle) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The processor time of this process and of its finished children.
  private static func ownSeconds() -> Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].map(\.rawValue).reduce(0) { sum, who in
      var usage = rusage()
      unsafe getrusage(who, &usage)
      let times = [usage.ru_utime, usage.ru_stime]
      return times.reduce(sum) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
  }
}
