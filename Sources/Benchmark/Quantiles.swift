/// The middle and the tail of many measurements.
struct Quantiles {
  let median: Double
  /// The 99th percentile.
  let tail: Double
  let count: Int

  init(_ values: [Double]) {
    let sorted = values.sorted()
    count = sorted.count
    median = Self.quantile(0.5, of: sorted)
    tail = Self.quantile(0.99, of: sorted)
  }

  /// The middle of some values; of an even number, the mean of both in the middle.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return 0 }
    let middle = sorted.count / 2
    if sorted.count.isMultiple(of: 2) { return (sorted[middle - 1] + sorted[middle]) / 2 }
    return sorted.count == 1 ? last : sorted[middle]
  }

  private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let place = Int((part * Double(sorted.count - 1)).rounded())
    return sorted[min(place, sorted.count - 1)]
  }
}
