import Foundation
import Glibc

/// The writable memory of another process, which root may read although the process is not dumpable.
struct AgentMemory {
  /// A copy of some bytes.
  struct Occurrence {
    let address: UInt
    /// What the mapping is called, such as `[heap]`.
    let name: String
    /// Whether the page is locked and left out of cores.
    let isProtected: Bool
  }

  struct Unreadable: Error {}

  private struct Mapping {
    let addresses: Range<UInt>
    let name: String
    var flags: Set<String> = []
  }

  let process: pid_t

  /// Finds every copy of each of some patterns, in their order.
  func occurrences(of patterns: [[UInt8]]) throws -> [[Occurrence]] {
    let memory = unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw Unreadable() }
    defer { close(memory) }
    var found = [[Occurrence]](repeating: [], count: patterns.count)
    for mapping in try mappings() {
      let bytes = read(memory, mapping.addresses)
      for (index, pattern) in patterns.enumerated() {
        for offset in Self.offsets(of: pattern, in: bytes) {
          found[index].append(
            Occurrence(
              address: mapping.addresses.lowerBound + UInt(offset),
              name: mapping.name,
              isProtected: mapping.flags.isSuperset(of: ["lo", "dd"])
            )
          )
        }
      }
    }
    return found
  }

  private func mappings() throws -> [Mapping] {
    var mappings: [Mapping] = []
    var isWritable = false
    // A file of /proc tells no size, and is read to its end through a handle.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      let bounds = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      if bounds.count == 2, fields.count > 4 {
        isWritable = fields[1].hasPrefix("rw")
        let name = fields.count > 5 ? String(fields[5]) : ""
        if isWritable { mappings.append(Mapping(addresses: bounds[0]..<bounds[1], name: name)) }
      } else if line.hasPrefix("VmFlags:"), isWritable {
        mappings[mappings.count - 1].flags = Set(fields.dropFirst().map(String.init))
      }
    }
    return mappings
  }

  private func read(_ memory: Int32, _ addresses: Range<UInt>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: addresses.count)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe pread(memory, buffer.baseAddress, buffer.count, off_t(addresses.lowerBound))
    }
    return Array(bytes.prefix(max(0, count)))
  }

  private static func offsets(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
    guard let first = pattern.first else { return [] }
    var found: [Int] = []
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let end = bytes.count - pattern.count + 1
      var offset = 0
      while offset < end, let hit = unsafe memchr(base + offset, Int32(first), end - offset) {
        offset = unsafe UnsafeRawPointer(hit) - base
        if unsafe memcmp(base + offset, pattern, pattern.count) == 0 { found.append(offset) }
        offset += 1
      }
    }
    return found
  }
}
