/// What is measured, in the order in which one round runs it.
///
/// Reading comes before writing, so that every shape is read as the bulk put left it.
enum Workload: String, CaseIterable {
  /// All items in one transaction, into an empty store.
  case bulk
  /// The size of the file after that, for each item.
  case size
  /// Random items that are there.
  case get
  /// Items that are not there.
  case miss
  /// The attributes of all items.
  case list
  /// New items, a durable transaction for each.
  case put
  /// Random items that are there, a durable transaction for each.
  case replace
  /// Items spread over the file, a durable transaction for each.
  case delete
  /// New keys, with every item sealed anew.
  case rotate
  /// Opening and unlocking.
  case open
  /// The keychain's calls, beside the library's.
  case keychain
  /// Whole processes of the tool.
  case tool
  /// New items, and then items that are there, stored by several processes at once.
  case contend
  /// The event of another process's commit.
  case observe

  /// Those that ``Rounds`` measures on every shape.
  static let onStores: [Workload] = [
    .bulk, .size, .get, .miss, .list, .put, .replace, .delete, .rotate,
  ]

  /// Whether it leaves something in the write-ahead log.
  var writes: Bool { [.bulk, .put, .replace, .delete, .rotate].contains(self) }

  /// How many operations one round does on a store of a shape.
  func operationCount(on shape: Shape) -> Int {
    switch self {
    case .bulk: shape.items
    case .get, .miss: shape.valueByteCount > 16_384 ? 1000 : 5000
    case .list: max(2, min(5, 100_000 / shape.items))
    case .put, .replace: 300
    case .delete: min(300, shape.items / 2)
    case .rotate: 1
    case .size, .open, .keychain, .tool, .contend, .observe: 0
    }
  }
}
