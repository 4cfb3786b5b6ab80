/// Who committed to a group, and up to which counter.
///
/// The list tells a history that diverged from one that merely went on.
package struct Writers: Hashable, Sendable {
  /// The last commit of one holder of an anchor.
  package struct Entry: Hashable, Sendable {
    /// The random name that a machine took when it made its anchor.
    package let holder: Identifier

    /// The counter of the holder's last commit, 1 to 2^62.
    package let counter: UInt64
  }

  /// The entries by strictly ascending holder, at most 64.
  package private(set) var entries: [Entry]

  private static let entryByteCount = 24

  /// Makes an empty list.
  package init() {
    entries = []
  }

  /// Reads a list.
  ///
  /// Throws ``FormatError/malformed`` if it is not made of at most 64 whole entries with strictly
  /// ascending holders and counters from 1 to 2^62.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    let (count, remainder) = bytes.count.quotientAndRemainder(dividingBy: Self.entryByteCount)
    guard remainder == 0, count <= Limits.writers else { throw .malformed }
    entries = []
    for index in 0..<count {
      let offset = index * Self.entryByteCount
      let entry = Entry(
        holder: try bytes.fixedBytes(at: offset),
        counter: try bytes.counter(at: offset + 16)
      )
      if let last = entries.last {
        guard last.holder < entry.holder else { throw .malformed }
      }
      entries.append(entry)
    }
  }

  /// The list in the form of the state and of the anchor.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(entries.count * Self.entryByteCount)
    for entry in entries {
      entry.holder.append(to: &output)
      output.append(bigEndian: entry.counter)
    }
    return output
  }

  /// The last counter of a holder, or nil if the list does not have it.
  package func counter(of holder: Identifier) -> UInt64? {
    entries.first { $0.holder == holder }?.counter
  }

  /// Notes a commit; in a full list the entry with the lowest counter makes room.
  ///
  /// Throws ``FormatError/limitExceeded`` if the counter lies outside of 1…2^62.
  package mutating func record(holder: Identifier, counter: UInt64) throws(FormatError) {
    guard Limits.counters.contains(counter) else { throw .limitExceeded }
    entries.removeAll { $0.holder == holder }
    dropLowest(downTo: Limits.writers - 1)
    let index = entries.firstIndex { $0.holder > holder } ?? entries.count
    entries.insert(Entry(holder: holder, counter: counter), at: index)
  }

  /// Whether this list can have grown out of an older one.
  ///
  /// Each entry of the older list is here with a counter at least as high, or it is missing and
  /// this list is full of higher counters, so that it may have made room.
  package func covers(_ older: Writers) -> Bool {
    older.entries.allSatisfy { entry in
      if let counter = counter(of: entry.holder) {
        return counter >= entry.counter
      }
      return entries.count == Limits.writers && entries.allSatisfy { $0.counter > entry.counter }
    }
  }

  /// The entry-wise maximum of two lists; of more than 64 holders those with the highest counters.
  package func merged(with other: Writers) -> Writers {
    var highest: [Identifier: UInt64] = [:]
    for entry in entries + other.entries {
      highest[entry.holder] = max(entry.counter, highest[entry.holder] ?? 0)
    }
    var result = Writers()
    result.entries = highest.map { Entry(holder: $0.key, counter: $0.value) }
      .sorted { $0.holder < $1.holder }
    result.dropLowest(downTo: Limits.writers)
    return result
  }

  private mutating func dropLowest(downTo count: Int) {
    while entries.count > count,
      let lowest = entries.indices.min(by: { entries[$0].counter < entries[$1].counter })
    {
      entries.remove(at: lowest)
    }
  }
}
