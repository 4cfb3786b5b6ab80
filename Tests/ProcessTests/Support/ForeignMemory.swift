import Foundation
import Glibc

/// The writable memory of another process, which only root may read when that process is hardened.
struct ForeignMemory {
  let process: pid_t

  static let isReadable = geteuid() == 0

  /// A copy of some bytes.
  struct Occurrence {
    /// Whether the page is locked, and left out of cores.
    let isProtected: Bool
  }

  /// Finds every copy of a text.
  func occurrences(of text: String) throws -> [Occurrence] {
    let memory = unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw UnexpectedEnd(description: "memory cannot be read") }
    defer { close(memory) }
    var found: [Occurrence] = []
    for mapping in try mappings() where mapping.isWritable {
      let bytes = read(memory, mapping.addresses)
      var rest = bytes.startIndex..<bytes.endIndex
      while let hit = bytes.range(of: Data(text.utf8), in: rest) {
        found.append(Occurrence(isProtected: mapping.flags.isSuperset(of: ["lo", "dd"])))
        rest = hit.upperBound..<bytes.endIndex
      }
    }
    return found
  }

  private struct Mapping {
    let addresses: Range<UInt>
    let isWritable: Bool
    var flags: Set<String> = []
  }

  private func mappings() throws -> [Mapping] {
    var mappings: [Mapping] = []
    // A file of /proc tells no size, and is read to its end through a handle.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      let bounds = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      if bounds.count == 2, fields.count > 4 {
        mappings.append(
          Mapping(addresses: bounds[0]..<bounds[1], isWritable: fields[1].hasPrefix("rw"))
        )
      } else if line.hasPrefix("VmFlags:"), !mappings.isEmpty {
        mappings[mappings.count - 1].flags = Set(fields.dropFirst().map(String.init))
      }
    }
    return mappings
  }

  private func read(_ memory: Int32, _ addresses: Range<UInt>) -> Data {
    var bytes = Data(count: addresses.count)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe pread(memory, buffer.baseAddress, buffer.count, off_t(addresses.lowerBound))
    }
    return bytes.prefix(max(0, count))
  }
}
