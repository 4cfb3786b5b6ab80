import CLinux
import SecretVault

/// The variables of a program to be started: those of the caller, and new ones in locked memory.
struct EnvironmentBlock {
  /// What `--clean-env` leaves of the caller's variables, beside the `LC_` ones.
  private static let basicNames = Set(
    ["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]
      .map { Array($0.utf8) }
  )

  /// The new entries, `NAME=VALUE` with a zero byte at the end of each.
  private let entries: SecretBytes
  private let starts: [Int]
  private let newNames: Set<[UInt8]>
  private let isClean: Bool

  /// Lays the new variables out; with `isClean` only the basic ones of the caller stay.
  ///
  /// - Throws: A usage failure for a value with a zero byte, which no variable can have; an error where no
  ///   locked memory is left.
  init(_ variables: [(variable: Variable, value: SecretBytes)], isClean: Bool) throws {
    var starts: [Int] = []
    var count = 0
    for (variable, value) in variables {
      let hasZero = value.withBytes { $0.firstIndex(of: 0, in: $0.indices) != nil }
      if hasZero {
        throw Failure.usage(
          "\(variable.place): the value has a zero byte, which no variable can hold; use inject"
        )
      }
      starts.append(count)
      count += variable.name.count + value.count + 2
    }
    entries = try SecretBytes(count: count) { target in
      for (start, (variable, value)) in zip(starts, variables) {
        Self.write(variable.name, value, to: &target, at: start)
      }
    }
    self.starts = starts
    newNames = Set(variables.map(\.variable.name))
    self.isClean = isClean
  }

  /// Lends the list of entries that `execve(2)` takes, which a null pointer ends.
  func withEntries<R>(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    entries.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        var pointers = unsafe inherited()
        if let base = bytes.baseAddress {
          let first = unsafe UnsafeMutableRawPointer(mutating: base)
          for start in starts {
            unsafe pointers.append((first + start).assumingMemoryBound(to: CChar.self))
          }
        }
        unsafe pointers.append(nil)
        return unsafe body(&pointers)
      }
    }
  }

  /// The entries of the caller that stay, as they are.
  private func inherited() -> [UnsafeMutablePointer<CChar>?] {
    var entries: [UnsafeMutablePointer<CChar>?] = unsafe []
    var cursor = unsafe secretvault_environment()
    while let place = unsafe cursor, let entry = unsafe place.pointee {
      let name = unsafe Self.name(of: entry)
      if !newNames.contains(name), !isClean || Self.isBasic(name) { unsafe entries.append(entry) }
      unsafe cursor = place + 1
    }
    return unsafe entries
  }

  private static func isBasic(_ name: [UInt8]) -> Bool {
    basicNames.contains(name) || name.starts(with: Array("LC_".utf8))
  }

  private static func name(of entry: UnsafePointer<CChar>) -> [UInt8] {
    var name: [UInt8] = []
    var cursor = unsafe entry
    while unsafe cursor.pointee != 0 && cursor.pointee != CChar(UInt8(ascii: "=")) {
      unsafe name.append(UInt8(bitPattern: cursor.pointee))
      unsafe cursor += 1
    }
    return name
  }

  private static func write(
    _ name: [UInt8],
    _ value: SecretBytes,
    to target: inout MutableSpan<UInt8>,
    at start: Int
  ) {
    var position = start
    for byte in name + [UInt8(ascii: "=")] {
      target[position] = byte
      position += 1
    }
    value.withBytes { bytes in
      for index in bytes.indices { target[position + index] = bytes[index] }
    }
    // The zero byte at the end is there: new memory is zero.
  }
}
