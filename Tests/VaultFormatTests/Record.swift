import VaultFormat

/// What parses and writes back; lets a test parse an array that is no variable of its own.
protocol Record: SendableMetatype {
  init(parsing bytes: Span<UInt8>) throws(FormatError)
  var bytes: [UInt8] { get }
}

extension Record {
  init(_ array: [UInt8]) throws(FormatError) {
    try self.init(parsing: array.span)
  }
}

extension AnchorRecord: Record {}
extension BranchTable: Record {}
extension Claim: Record {}
extension GroupRecord: Record {}
extension HeadRecord: Record {}
extension LookupInput: Record {}
extension SlotRecord: Record {}
extension Writers: Record {}
