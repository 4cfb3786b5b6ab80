/// The lengths and ranges of the columns, as the file format fixes them.
///
/// They hold for what is written and for what is read.
enum ColumnLimits {
  static let identifier = 16...16
  static let lookup = 32...32
  static let revision = 24...24
  static let tag = 32...32

  static let headRecord = 96...96
  static let slotRecord = 144...144
  static let groupRecord = 128...128
  static let label = 0...400
  static let name = 0...400
  static let state = 0...4096
  static let branches = 0...2432

  static let attributes = 0...82_048
  static let secret = 0...1_053_744
  static let history = 0...2_103_344

  /// A kind, class or flags byte.
  static let byte: ClosedRange<Int64> = 0...255
  /// A counter or version; also a row number of a box.
  static let counter: ClosedRange<Int64> = 1...(1 << 62)
  static let pageNumber: ClosedRange<Int64> = 0...4095
  static let pageItems: ClosedRange<Int64> = 1...65_536
  static let row: ClosedRange<Int64> = Int64.min...Int64.max
}
