/// What the command line asks for.
struct Options {
  /// The folder in which the scratch folder is made.
  var scratch = "."
  var itemCounts = [1000, 10_000, 100_000]
  var valueByteCounts = [32, 1024, 65_536]
  var rounds = 7
  var workloads = Workload.allCases
  var writesJSON = false
  /// The path of a release `secretvault`.
  var tool: String?
  /// The path of the C program `floor`.
  var floorProgram: String?
  /// What is to be counted, instead of measuring.
  var count: Count?
  /// Whether the counts of items were given, so that no shape is left out.
  var hasGivenItems = false

  /// One workload, to be run under a counter of instructions or system calls.
  struct Count {
    var workload: Workload
    var operations = 100
    var isFloor = false
  }

  static let usage = """
    usage: Benchmark [--scratch DIR] [--items N,...] [--value BYTES,...] [--rounds N]
                     [--only WORKLOAD,...] [--quick] [--json] [--tool PATH] [--floor-get PATH]
           Benchmark --count WORKLOAD --ops N [--items N] [--value BYTES]
                     [--subject store|floor] [--scratch DIR]

    Measures the library against the least that an encrypted SQLite file can do.
    workloads: bulk, size, get, miss, list, put, replace, delete, rotate, open, keychain, tool,
               contend, observe

    --scratch DIR     where to work, on the disk that is to be measured; removed at the end
    --quick           1,000 and 10,000 items of 32 B and 1 KiB, 3 rounds
    --tool PATH       a release secretvault, for the workload tool
    --floor-get PATH  the C program floor, to be run beside it
    --count WORKLOAD  sets up, then does N operations between two marks; for valgrind and strace
    contend           1, 2, 4 and 8 processes, first of new items and then over those that are there; puts beside a
                      floor that blocks for its turn, the worst wait beside SQLite's stock busy handler, in the
                      columns p50 and p99 the usual one of a round and the worst
    Without --items, values of 64 KiB are measured to 10,000 items only.

    """

  /// The shapes to measure, in the order given; without `--items`, none of more than a gigabyte.
  var shapes: [Shape] {
    itemCounts.flatMap { items in
      valueByteCounts.compactMap { value in
        let isHuge = items > 10_000 && value > 16_384
        return isHuge && !hasGivenItems ? nil : Shape(items: items, valueByteCount: value)
      }
    }
  }

  /// Whether a shape is left out for its size.
  var leavesShapesOut: Bool { shapes.count < itemCounts.count * valueByteCounts.count }
}

extension Options {
  /// Reads the command line without the program's name; `nil` where it is wrong.
  init?(_ arguments: some Sequence<String>) {
    var words = arguments.makeIterator()
    var operations: Int?
    var isFloor: Bool?
    while let word = words.next() {
      switch word {
      case "--json": writesJSON = true
      case "--quick": beQuick()
      default:
        guard let value = words.next() else { return nil }
        switch word {
        case "--ops": operations = Self.number(value)
        case "--subject": isFloor = ["store": false, "floor": true][value]
        default: guard set(word, value) else { return nil }
        }
        if word == "--ops", operations == nil { return nil }
        if word == "--subject", isFloor == nil { return nil }
      }
    }
    guard count != nil else {
      if tool == nil, workloads == [.tool] { return nil }
      if operations != nil || isFloor != nil { return nil }
      return
    }
    if let operations { count?.operations = operations }
    if let isFloor { count?.isFloor = isFloor }
    guard isCountable else { return nil }
  }

  private mutating func beQuick() {
    itemCounts = [1000, 10_000]
    valueByteCounts = [32, 1024]
    rounds = 3
  }

  /// Takes an option and its value; `false` where either is wrong.
  private mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--scratch": scratch = value
    case "--tool": tool = value
    case "--floor-get": floorProgram = value
    case "--rounds": return Self.set(&rounds, Self.number(value))
    case "--items":
      hasGivenItems = true
      return Self.set(&itemCounts, Self.numbers(value, least: 2))
    case "--value": return Self.set(&valueByteCounts, Self.numbers(value, least: 1))
    case "--only":
      return Self.set(&workloads, Self.list(value) { Workload(rawValue: $0) })
    case "--count":
      guard let workload = Workload(rawValue: value), Workload.onStores.contains(workload),
        workload != .size
      else { return false }
      count = Count(workload: workload)
    default: return false
    }
    return true
  }

  /// The names are made before the first mark, as many for N operations as for 2N.
  private var isCountable: Bool {
    guard let count, itemCounts.count == 1 || !hasGivenItems else { return false }
    return count.workload == .list || count.operations <= itemCounts[0]
  }

  private static func set<Value>(_ target: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    target = value
    return true
  }

  private static func number(_ text: String) -> Int? {
    Int(text).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
  }

  private static func numbers(_ text: String, least: Int) -> [Int]? {
    list(text) { number($0).flatMap { $0 >= least ? $0 : nil } }
  }

  private static func list<Value>(_ text: String, _ parse: (String) -> Value?) -> [Value]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let values = parts.compactMap { parse(String($0)) }
    return values.count == parts.count ? values : nil
  }
}
