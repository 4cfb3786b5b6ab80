import Glibc

/// Bytes to look for, kept combined with a mask so that the pattern itself is nowhere in memory.
package struct MaskedPattern: Sendable {
  private static let mask: UInt8 = 0xa5
  private let masked: [UInt8]

  /// How many bytes there are.
  package var count: Int { masked.count }

  /// Makes a random pattern, which is never in memory until somebody writes it there.
  package init(randomByteCount count: Int) {
    masked = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// Remembers bytes that are in memory already.
  package init(of bytes: Span<UInt8>) {
    masked = bytes.indices.map { bytes[$0] ^ Self.mask }
  }

  /// Writes the pattern into `target`.
  package func write(to target: inout MutableSpan<UInt8>, at offset: Int = 0) {
    for index in masked.indices { target[offset + index] = masked[index] ^ Self.mask }
  }

  fileprivate var firstByte: UInt8 { masked[0] ^ Self.mask }

  fileprivate func isFound(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    for index in masked.indices {
      guard unsafe bytes[offset + index] ^ Self.mask == masked[index] else { return false }
    }
    return true
  }
}

/// Looks through everything that this process can write to.
///
/// What a program computed or received can lie in writable memory only. The process must be allowed to
/// read `/proc/self/mem`: one that made itself non-dumpable needs to be root.
package enum MemoryScanner {
  /// A copy of the pattern.
  package struct Occurrence: Sendable {
    /// Where it starts.
    package let address: UInt
    /// The mapping that it lies in.
    package let mapping: MemoryMapping
  }

  /// Why memory could not be looked through.
  package struct Failure: Error {}

  private static let windowByteCount = 1 << 20

  /// Finds every copy of a pattern.
  ///
  /// - Throws: ``Failure`` when the memory cannot be read.
  package static func occurrences(of pattern: MaskedPattern) throws(Failure) -> [Occurrence] {
    let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw Failure() }
    defer { close(memory) }
    // What is read is kept outside the heap, so that copies made by the search can be told apart.
    let window = unsafe UnsafeMutableRawBufferPointer(
      start: mmap(nil, windowByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      count: windowByteCount
    )
    guard let start = window.baseAddress, unsafe start != MAP_FAILED else { throw Failure() }
    defer { unsafe munmap(start, windowByteCount) }
    let own = UInt(bitPattern: start)..<UInt(bitPattern: start) + UInt(windowByteCount)
    var occurrences: [Occurrence] = []
    for mapping in MemoryMapping.all() where mapping.permissions.hasPrefix("rw") {
      for address in unsafe search(memory, mapping.addresses, pattern, window)
      where !own.contains(address) {
        occurrences.append(Occurrence(address: address, mapping: mapping))
      }
    }
    return occurrences
  }

  /// Finds the copies in a range of addresses; windows overlap, so that none is cut in two.
  private static func search(
    _ memory: Int32,
    _ addresses: Range<UInt>,
    _ pattern: MaskedPattern,
    _ window: UnsafeMutableRawBufferPointer
  ) -> [UInt] {
    var found: [UInt] = []
    var address = addresses.lowerBound
    while address < addresses.upperBound {
      let wanted = min(window.count, Int(addresses.upperBound - address))
      let got = unsafe pread(memory, window.baseAddress, wanted, off_t(address))
      // A mapping may be gone, or be one of those that cannot be read, such as a device's.
      guard got >= pattern.count else { break }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: window[..<got])
      found += unsafe offsets(of: pattern, in: bytes).map { address + UInt($0) }
      if got == Int(addresses.upperBound - address) { break }
      address += UInt(got - pattern.count + 1)
    }
    return found
  }

  private static func offsets(of pattern: MaskedPattern, in bytes: UnsafeRawBufferPointer) -> [Int]
  {
    guard let start = bytes.baseAddress else { return [] }
    let first = Int32(pattern.firstByte)
    let end = bytes.count - pattern.count + 1
    var found: [Int] = []
    var offset = 0
    while offset < end, let hit = unsafe memchr(start + offset, first, end - offset) {
      offset = unsafe UnsafeRawPointer(hit) - start
      if unsafe pattern.isFound(in: bytes, at: offset) { found.append(offset) }
      offset += 1
    }
    return found
  }
}
