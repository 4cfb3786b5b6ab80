import SecretVault
import Security

/// Measures the keychain's calls over a vault, beside the library's own call for the same item.
///
/// The dictionary of a query is made before the clock runs, as the names are for the library.
struct KeychainCalls {
  let scratch: Scratch
  let count: Int

  private static let shape = Shape(items: 10_000, valueByteCount: 32)
  private static let readsPerRound = 2000

  /// What one round found, in microseconds.
  private struct Round {
    var calls = Times(capacity: readsPerRound)
    var library = Times(capacity: readsPerRound)
    var byAccount = Times(capacity: readsPerRound)
    var others = 0.0
  }

  /// Fills one vault and reads it in every round.
  func run() throws(BenchmarkError) -> [Summary] {
    let folder = try scratch.folder("keychain")
    defer { Scratch.remove(folder) }
    let store = try StoreSubject(folder: folder, shape: Self.shape)
    try Exercise(subject: store, shape: Self.shape).fillAndClose()
    try store.open()
    defer { store.close() }
    try store.useForKeychainCalls()
    // The first query by a part of the name looks at every item.
    try read(query(for: Entry(0), byService: false))
    var rounds: [Round] = []
    for index in 0..<count { rounds.append(try round(index, store)) }
    return summaries(Summary.quieterHalf(rounds, \.others))
  }

  private func round(_ index: Int, _ store: StoreSubject) throws(BenchmarkError) -> Round {
    let quietness = Quietness()
    var random = XorShift(seed: UInt64(index + 1))
    var round = Round()
    for _ in 0..<Self.readsPerRound {
      let entry = Entry(Int(random.next() % UInt64(Self.shape.items)))
      let whole = query(for: entry, byService: true)
      let part = query(for: entry, byService: false)
      let value = try round.calls.measure { () throws(BenchmarkError) in try read(whole) }
      _ = try round.library.measure { () throws(BenchmarkError) in try store.read(entry) }
      guard let value, store.lastReadEquals(Array(value)) else {
        throw .wrongResult("the call does not give the library's value")
      }
      _ = try round.byAccount.measure { () throws(BenchmarkError) in try read(part) }
    }
    round.others = quietness.others
    return round
  }

  private func query(for entry: Entry, byService: Bool) -> CFDictionary {
    var query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: entry.account, kSecReturnData: true,
    ]
    if byService { query[kSecAttrService] = entry.service }
    return query as CFDictionary
  }

  @discardableResult
  private func read(_ query: CFDictionary) throws(BenchmarkError) -> Data? {
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query, &result)
    guard status == errSecSuccess else { throw .wrongResult("a call answered \(status)") }
    return result as? Data
  }

  private func summaries(_ kept: [Round]) -> [Summary] {
    [
      summary("keychain, one item", kept, \.calls, beside: \.library),
      summary("keychain, by account", kept, \.byAccount, beside: nil),
    ]
  }

  private func summary(
    _ name: String,
    _ kept: [Round],
    _ times: (Round) -> Times,
    beside floor: ((Round) -> Times)?
  ) -> Summary {
    Summary(
      name: name,
      items: Self.shape.items,
      valueByteCount: Self.shape.valueByteCount,
      unit: Workload.keychain.unit,
      store: Summary.Sides(kept.map { Quantiles(times($0).microseconds) }),
      floor: floor.map { floor in
        Summary.Sides(kept.map { Quantiles(floor($0).microseconds) })
      },
      others: Quantiles.median(kept.map(\.others)),
      keptRounds: kept.count,
      rounds: count
    )
  }
}
