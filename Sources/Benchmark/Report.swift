/// Writes summaries to standard output, as aligned text or as one JSON object a line.
struct Report {
  let writesJSON: Bool

  private static let columns = [
    "workload", "items", "value", "store p50", "p99", "floor p50", "p99", "ratio", "unit", "others",
    "kept",
  ]
  private static let widths = [24, 8, 7, 11, 10, 11, 10, 7, 8, 7, 6]

  /// Writes the heads of the columns.
  func writeHead() {
    if !writesJSON { print(Self.aligned(Self.columns)) }
  }

  /// Writes one line.
  func write(_ summary: Summary) {
    print(writesJSON ? json(summary) : Self.aligned(cells(summary)))
  }

  private func cells(_ summary: Summary) -> [String] {
    [
      summary.name, String(summary.items), String(summary.valueByteCount),
      Decimals.text(summary.store.median), summary.store.tail.map { Decimals.text($0) } ?? "-",
      summary.floor.map { Decimals.text($0.median) } ?? "-",
      summary.floor?.tail.map { Decimals.text($0) } ?? "-",
      summary.ratio.map { Decimals.text($0) } ?? "-", summary.unit,
      Decimals.text(summary.others), "\(summary.keptRounds)/\(summary.rounds)",
    ]
  }

  private static func aligned(_ cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
      line += index == 0 ? cell + padding : padding + " " + cell
    }
    return line
  }

  private func json(_ summary: Summary) -> String {
    let members: [(name: String, number: String?)] = [
      ("items", "\(summary.items)"), ("value", "\(summary.valueByteCount)"),
      ("store_p50", summary.store.median.description),
      ("store_p99", summary.store.tail?.description),
      ("floor_p50", summary.floor?.median.description),
      ("floor_p99", summary.floor?.tail?.description),
      ("ratio", summary.ratio?.description), ("others", summary.others.description),
      ("kept", "\(summary.keptRounds)"), ("rounds", "\(summary.rounds)"),
    ]
    let texts = members.map { "\"\($0.name)\":\($0.number ?? "null")" }
    return "{\"workload\":\"\(summary.name)\",\"unit\":\"\(summary.unit)\","
      + texts.joined(separator: ",") + "}"
  }
}

/// Numbers as text, without locale.
enum Decimals {
  /// At least three digits that count, and none that do not.
  static func text(_ value: Double) -> String {
    let places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((value * scale).rounded())
    if places == 0 { return String(scaled) }
    let digits = String(scaled)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return padded.dropLast(places) + "." + padded.suffix(places)
  }
}
