/// The numbers at which a vault ends; a reader checks each before it allocates anything.
@usableFromInline
package enum Limits {
  /// The largest number of slots in a vault.
  package static let slots = 64

  /// The largest number of slots with a passphrase; each costs one stretch to try.
  package static let passphraseSlots = 8

  /// The largest number of access groups in a vault.
  package static let groups = 1024

  /// The largest number of items in an access group.
  package static let itemsPerGroup: UInt64 = 4_000_000

  /// The largest number of items in a page.
  package static let itemsPerPage = 65_536

  /// The number of pages of a group; a page number is the first 12 bits of a lookup.
  package static let pages: UInt16 = 4096

  /// The number of branches of a group.
  package static let branches: UInt16 = 64

  /// The largest number of pages in a branch.
  package static let pagesPerBranch = 64

  /// Epochs, counters, versions and box numbers: 1 to 2^62.
  @usableFromInline
  package static let counters: ClosedRange<UInt64> = 1...(1 << 62)

  /// The base-2 logarithms of the scrypt cost N that a reader accepts.
  package static let logN: ClosedRange<UInt8> = 15...19

  /// The smallest base-2 logarithm of N that a writer gives a new slot (128 MiB of memory).
  package static let smallestWrittenLogN: UInt8 = 17

  /// The largest sum of N over all passphrase slots that are tried or written.
  package static let totalCost: UInt64 = 1 << 20

  /// The lengths of a passphrase in bytes.
  package static let passphraseByteCounts: ClosedRange<Int> = 1...1024

  /// The largest attribute list in bytes, before padding.
  package static let attributesByteCount = 81_916

  /// The largest value of one attribute in bytes.
  package static let attributeValueByteCount = 65_536

  /// The largest box of attributes in bytes.
  package static let attributesBoxByteCount = 82_048

  /// The largest secret in bytes.
  package static let secretByteCount = 1_048_576

  /// The largest box of a secret in bytes.
  package static let secretBoxByteCount = 1_053_744

  /// The largest history of an item in bytes, before padding (2 MiB).
  package static let historyByteCount = 2_097_152

  /// The largest box of a history in bytes.
  package static let historyBoxByteCount = 2_103_344

  /// The largest number of earlier secrets in a history; the attribute that sets it is one byte.
  package static let historyEntries = 255

  /// The lengths of a group name in bytes.
  package static let groupNameByteCounts: ClosedRange<Int> = 1...252

  /// The lengths of a slot label in bytes.
  package static let slotLabelByteCounts: ClosedRange<Int> = 0...252

  /// The largest number of entries in a list of writers.
  package static let writers = 64

  /// The largest state of a group or of the head in bytes.
  package static let stateByteCount = 4096
}
