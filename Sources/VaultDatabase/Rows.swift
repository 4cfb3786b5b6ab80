/// The one row of `head`.
package struct HeadRow: Sendable {
  /// 96 bytes.
  package var record: [UInt8]
  /// At most 4 096 bytes.
  package var state: [UInt8]

  /// Makes a row to be written.
  package init(record: [UInt8], state: [UInt8]) {
    self.record = record
    self.state = state
  }
}

/// A row of `slot`.
package struct SlotRow: Sendable {
  /// The primary key.
  package var id: InlineArray<16, UInt8>
  /// 144 bytes.
  package var record: [UInt8]
  /// At most 400 bytes.
  package var label: [UInt8]

  /// Makes a row to be written.
  package init(id: InlineArray<16, UInt8>, record: [UInt8], label: [UInt8]) {
    self.id = id
    self.record = record
    self.label = label
  }
}

/// A row of `grp` as it is stored.
package struct GroupRow: Sendable {
  /// The row number, by which the other calls name this row.
  package let row: Int64
  /// The column `group_id`, by which pages and claims name their group.
  package let id: InlineArray<16, UInt8>
  /// 128 bytes.
  package let record: [UInt8]
  /// The columns `counter` and `tag`.
  package let position: GroupPosition
  /// At most 400 bytes.
  package let name: [UInt8]
  /// At most 4 096 bytes.
  package let state: [UInt8]
  /// At most 2 432 bytes.
  package let branches: [UInt8]
}

/// The columns of a group that every commit to it changes.
package struct GroupPosition: Sendable {
  /// 1…2^62.
  package let counter: Int64
  /// The column `tag`.
  package let tag: InlineArray<32, UInt8>
}

/// A row of `page`, without the group it belongs to.
package struct PageRow: Sendable {
  /// 0…4 095.
  package var number: Int
  /// 1…65 536.
  package var items: Int
  /// The column `tag`.
  package var tag: InlineArray<32, UInt8>

  /// Makes a row to be written.
  package init(number: Int, items: Int, tag: InlineArray<32, UInt8>) {
    self.number = number
    self.items = items
    self.tag = tag
  }
}

/// One of the three blobs of a box.
package enum BoxPart: Sendable, CaseIterable {
  case attributes
  case secret
  case history
}

/// The lengths of the three blobs of a box, read without reading the blobs.
package struct BoxSizes: Sendable, Equatable {
  /// The row number, 1…2^62.
  package let box: Int64
  /// 0…82 048.
  package let attributes: Int
  /// 0…1 053 744.
  package let secret: Int
  /// 0…2 103 344.
  package let history: Int
}
