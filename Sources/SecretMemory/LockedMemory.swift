import COpenSSL
import Glibc

/// Pages that are locked, left out of core dumps and zero in a forked child.
///
/// libcrypto's arena has a fixed size, so secrets, which may reach 1 MiB, live here: in 64 KiB chunks
/// cut into equal blocks, or in a mapping of their own.
@safe
struct LockedBlock {
  let base: UnsafeMutablePointer<UInt8>
  /// The size of the block, in bytes; all of it is wiped on release.
  let capacity: Int
  /// The address of the chunk that it was cut from, or of the mapping that it fills.
  fileprivate let origin: UInt
  /// The process that locked it.
  fileprivate let process: UInt

  fileprivate init(
    base: UnsafeMutablePointer<UInt8>,
    capacity: Int,
    origin: UInt,
    process: UInt
  ) {
    unsafe self.base = base
    self.capacity = capacity
    self.origin = origin
    self.process = process
  }
}

/// The allocator of ``LockedBlock``.
enum LockedMemory {
  private static let pool = SharedPool()

  /// Hands out a zeroed block of at least `count` bytes.
  static func allocate(_ count: Int) throws(SecretMemoryError) -> LockedBlock {
    try MemoryLock.whileHeld { () throws(SecretMemoryError) in try pool.blocks.allocate(count) }
  }

  /// Wipes a block and takes it back.
  static func release(_ block: LockedBlock) {
    unsafe OPENSSL_cleanse(block.base, block.capacity)
    MemoryLock.whileHeld { pool.blocks.release(block) }
  }
}

/// The pool of the process.
///
/// `@unchecked Sendable` holds because it is reached while ``MemoryLock`` is held alone, and a free block is reachable
/// through it alone.
private final class SharedPool: @unchecked Sendable {
  var blocks = BlockPool()
}

/// Free blocks by size, and what is needed to make more.
private struct BlockPool {
  private static let smallestBlock = 64
  private static let chunkByteCount = 64 * 1024
  /// What is kept of freed mappings, so that reading one large secret again and again maps nothing.
  private static let keptByteCount = 512 * 1024

  /// Free blocks of chunks, by the size class of the block: 64 bytes, 128, 256, and so on.
  private var free = [[LockedBlock]](repeating: [], count: 10)
  private var freeMappings: [LockedBlock] = []
  private var freeMappingBytes = 0
  private let process = ForkCount.current

  mutating func allocate(_ count: Int) throws(SecretMemoryError) -> LockedBlock {
    // A forked child inherits the pages, but not their locks.
    if process != ForkCount.current { self = BlockPool() }
    if count > Self.chunkByteCount / 2 { return try allocateMapping(count) }
    let size = Self.blockSize(for: count)
    let sizeClass = Self.sizeClass(of: size)
    if let block = free[sizeClass].popLast() { return block }
    let chunk = try map(Self.chunkByteCount)
    var blocks: [LockedBlock] = []
    for offset in stride(from: 0, to: Self.chunkByteCount, by: size) {
      blocks.append(
        unsafe LockedBlock(
          base: chunk.base + offset,
          capacity: size,
          origin: chunk.origin,
          process: process
        )
      )
    }
    let block = blocks.removeLast()
    free[sizeClass] = blocks
    return block
  }

  mutating func release(_ block: LockedBlock) {
    guard block.process == ForkCount.current else { return }
    if block.capacity <= Self.chunkByteCount / 2 {
      free[Self.sizeClass(of: block.capacity)].append(block)
    } else if freeMappingBytes + block.capacity <= Self.keptByteCount {
      freeMappings.append(block)
      freeMappingBytes += block.capacity
    } else {
      unsafe munmap(block.base, block.capacity)
    }
  }

  private mutating func allocateMapping(_ count: Int) throws(SecretMemoryError) -> LockedBlock {
    let (padded, isTooLarge) = count.addingReportingOverflow(4095)
    guard !isTooLarge else { throw SecretMemoryError(.outOfMemory) }
    let size = padded / 4096 * 4096
    if let index = freeMappings.firstIndex(where: { $0.capacity == size }) {
      freeMappingBytes -= size
      return freeMappings.remove(at: index)
    }
    return try map(size)
  }

  /// Maps pages; where there is no room, the second attempt follows after all free ones were given back.
  private mutating func map(_ count: Int) throws(SecretMemoryError) -> LockedBlock {
    do { return try Self.map(count, process) } catch { unmapFreeMemory() }
    return try Self.map(count, process)
  }

  /// Unmaps the free mappings, and the chunks whose blocks are all free.
  private mutating func unmapFreeMemory() {
    for block in freeMappings { unsafe munmap(block.base, block.capacity) }
    freeMappings = []
    freeMappingBytes = 0
    for (sizeClass, blocks) in free.enumerated() {
      let blocksPerChunk = Self.chunkByteCount / (Self.smallestBlock << sizeClass)
      let unused = Dictionary(grouping: blocks, by: \.origin)
        .filter { $0.value.count == blocksPerChunk }
      for chunk in unused.keys {
        unsafe munmap(UnsafeMutableRawPointer(bitPattern: chunk), Self.chunkByteCount)
      }
      free[sizeClass] = blocks.filter { unused[$0.origin] == nil }
    }
  }

  /// The smallest power of two that holds `count` bytes, but no less than the smallest block.
  private static func blockSize(for count: Int) -> Int {
    var size = smallestBlock
    while size < count { size *= 2 }
    return size
  }

  private static func sizeClass(of size: Int) -> Int {
    size.trailingZeroBitCount - smallestBlock.trailingZeroBitCount
  }

  private static func map(_ count: Int, _ process: UInt) throws(SecretMemoryError) -> LockedBlock {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0),
      unsafe memory != MAP_FAILED
    else { throw SecretMemoryError(.outOfMemory) }
    let isLocked = unsafe mlock(memory, count) == 0 || LockingPolicy.allowsUnlockedMemory
    guard isLocked, unsafe madvise(memory, count, MADV_DONTDUMP) == 0,
      unsafe madvise(memory, count, MADV_WIPEONFORK) == 0
    else {
      unsafe munmap(memory, count)
      throw SecretMemoryError(.lockedMemoryExhausted)
    }
    let base = unsafe memory.bindMemory(to: UInt8.self, capacity: count)
    return unsafe LockedBlock(
      base: base,
      capacity: count,
      origin: UInt(bitPattern: base),
      process: process
    )
  }
}
