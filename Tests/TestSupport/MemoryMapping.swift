import Glibc

/// One mapping of this process, as the kernel describes it (`proc_pid_smaps(5)`).
package struct MemoryMapping: Sendable {
  /// The addresses that it covers.
  package let addresses: Range<UInt>
  /// Four letters such as `rw-p`.
  package let permissions: String
  /// The two-letter `VmFlags`: `lo` is locked, `dd` is left out of core dumps, `wf` is wiped on fork.
  package fileprivate(set) var flags: Set<String> = []

  /// Reads all mappings of this process.
  package static func all() -> [MemoryMapping] {
    var mappings: [MemoryMapping] = []
    for line in text(ofFile: "/proc/self/smaps").split(separator: "\n") {
      if let mapping = MemoryMapping(heading: line) {
        mappings.append(mapping)
      } else if line.hasPrefix("VmFlags:"), !mappings.isEmpty {
        mappings[mappings.count - 1].flags = Set(
          line.split(separator: " ").dropFirst().map(String.init)
        )
      }
    }
    return mappings
  }

  /// Finds the mapping that holds an address.
  package static func containing(_ address: UInt) -> MemoryMapping? {
    all().first { $0.addresses.contains(address) }
  }

  /// Parses a line such as `7f00-7f10 rw-p 0 00:00 0`, or returns `nil` for a line of another kind.
  private init?(heading line: Substring) {
    let fields = line.split(separator: " ", maxSplits: 2)
    let bounds = fields.first?.split(separator: "-").map { UInt($0, radix: 16) } ?? []
    guard fields.count == 3, bounds.count == 2, let start = bounds[0], let end = bounds[1],
      start <= end
    else { return nil }
    addresses = start..<end
    permissions = String(fields[1])
  }

  /// Reads to the end, since files of `/proc` tell no size.
  private static func text(ofFile path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count > 0 { text += part.prefix(count) } else if count == 0 || errno != EINTR { break }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
