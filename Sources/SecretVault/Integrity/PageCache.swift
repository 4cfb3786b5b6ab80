import Synchronization
import VaultFormat

/// Verified pages and branches by their tags, shared by all connections of a store.
///
/// A tag stands for its contents, so nothing here can be stale. When the younger half is full it becomes
/// the older half, and what that held is dropped: at most 32 MiB of pages stay.
final class PageCache: Sendable {
  private struct Contents {
    var pages = Generations<ClaimPage>()
    var branches = Generations<Branch>()
  }

  private static let pageBytesPerGeneration = 16 * 1024 * 1024
  private let contents = Mutex(Contents())

  /// Looks for a page by its number in a branch.
  func page(_ number: UInt16, inBranch tag: Digest) -> CachedPage {
    contents.withLock { contents in
      guard let branch = contents.branches.value(tag) else { return .unknown }
      guard let entry = branch.page(number) else { return .absent }
      return contents.pages.value(entry.tag).map { .found($0) } ?? .unknown
    }
  }

  func page(_ tag: Digest) -> ClaimPage? {
    contents.withLock { $0.pages.value(tag) }
  }

  func insert(_ page: ClaimPage, _ tag: Digest) {
    contents.withLock {
      $0.pages.insert(page, tag, byteCount: page.rows.count, limit: Self.pageBytesPerGeneration)
    }
  }

  func branch(_ tag: Digest) -> Branch? {
    contents.withLock { $0.branches.value(tag) }
  }

  func insert(_ branch: Branch, _ tag: Digest) {
    // A branch has at most 64 entries of some 40 bytes; a share of a sixteenth holds them all.
    contents.withLock {
      $0.branches.insert(
        branch,
        tag,
        byteCount: 40 * branch.pages.count,
        limit: Self.pageBytesPerGeneration / 16
      )
    }
  }

  private struct Generations<Value> {
    private var young: [Digest: Value] = [:]
    private var old: [Digest: Value] = [:]
    private var youngByteCount = 0

    func value(_ tag: Digest) -> Value? {
      young[tag] ?? old[tag]
    }

    mutating func insert(_ value: Value, _ tag: Digest, byteCount: Int, limit: Int) {
      if youngByteCount + byteCount > limit {
        old = young
        young = [:]
        youngByteCount = 0
      }
      if young.updateValue(value, forKey: tag) == nil { youngByteCount += byteCount }
    }
  }
}
