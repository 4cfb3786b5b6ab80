import COpenSSL
import SecretVault

/// Measures opening and unlocking, split into the stretching of a passphrase and the rest.
///
/// The rest is what the same vault takes with a key file; beside it stands the opening of the floor's file
/// until its statements and contexts are ready. Beside the passphrase stands scrypt alone.
struct Opening {
  let scratch: Scratch
  let shape: Shape
  let count: Int

  private static let opensPerRound = 20
  private static let stretchesPerRound = 3
  private static let passphrase = Array("correct horse battery staple".utf8)

  /// What one round found.
  private struct Round {
    var keyFile: [Double] = []
    var floor: [Double] = []
    var passphrase: [Double] = []
    var scrypt: [Double] = []
    var others = 0.0
  }

  /// Makes both files once and opens them in every round.
  func run() throws(BenchmarkError) -> [Summary] {
    let folder = try scratch.folder("open-\(shape.items)")
    defer { Scratch.remove(folder) }
    let floor = try Floor(folder: folder, shape: shape)
    let passphrase = Credential.passphrase(try StoreSubject.secret(Self.passphrase))
    let store = try StoreSubject(
      folder: folder,
      keyFile: try StoreSubject.makeKeyFile(),
      also: [passphrase]
    )
    guard let cost = try store.passphraseCost()
    else { throw .wrongResult("the vault has no passphrase slot") }
    try Exercise(subject: store, shape: shape).fillAndClose()
    try Exercise(subject: floor, shape: shape).fillAndClose()
    var rounds: [Round] = []
    for _ in 0..<count { rounds.append(try round(store, floor, passphrase, cost)) }
    return summaries(Summary.quieterHalf(rounds, \.others), cost)
  }

  private func round(
    _ store: StoreSubject,
    _ floor: Floor,
    _ passphrase: Credential,
    _ cost: Int
  ) throws(BenchmarkError) -> Round {
    let quietness = Quietness()
    var round = Round()
    round.keyFile = try times(Self.opensPerRound, of: store) { () throws(BenchmarkError) in
      try store.open()
    }
    round.floor = try times(Self.opensPerRound, of: floor) { () throws(BenchmarkError) in
      try floor.open()
    }
    var scrypt = Times(capacity: Self.stretchesPerRound)
    for _ in 0..<Self.stretchesPerRound {
      round.passphrase += try times(1, of: store) { () throws(BenchmarkError) in
        try store.open(with: passphrase)
      }
      try scrypt.measure { () throws(BenchmarkError) in try stretch(cost) }
    }
    round.scrypt = scrypt.microseconds
    round.others = quietness.others
    return round
  }

  /// Times openings; after each, one value is checked and the store is closed again.
  private func times<Tested: Subject>(
    _ count: Int,
    of subject: Tested,
    _ open: () throws(BenchmarkError) -> Void
  ) throws(BenchmarkError) -> [Double] {
    var times = Times(capacity: count)
    for index in 0..<count {
      try times.measure(open)
      guard try subject.read(Entry(index % shape.items)),
        subject.lastReadEquals(
          Values.bytes(of: index % shape.items, count: shape.valueByteCount)
        )
      else { throw .wrongResult("a value is not what was stored") }
      try subject.close()
    }
    return times.microseconds
  }

  /// Runs scrypt with the parameters of a slot: r = 8, p = 1.
  private func stretch(_ log2N: Int) throws(BenchmarkError) {
    let n = UInt64(1) << UInt64(log2N)
    let salt = [UInt8](repeating: 0x33, count: 32)
    var key = [UInt8](repeating: 0, count: 32)
    let isDone = unsafe Self.passphrase.withUnsafeBytes { bytes in
      unsafe EVP_PBE_scrypt(
        bytes.bindMemory(to: CChar.self).baseAddress,
        bytes.count,
        salt,
        salt.count,
        n,
        8,
        1,
        n * 1024 + 4 << 20,
        &key,
        key.count
      )
    }
    guard isDone == 1 else { throw .cryptography }
  }

  private func summaries(_ kept: [Round], _ cost: Int) -> [Summary] {
    [
      summary("open, key file", kept, store: \.keyFile, floor: \.floor),
      summary("open, passphrase 2^\(cost)", kept, store: \.passphrase, floor: \.scrypt),
    ]
  }

  private func summary(
    _ name: String,
    _ kept: [Round],
    store: (Round) -> [Double],
    floor: (Round) -> [Double]
  ) -> Summary {
    Summary(
      name: name,
      items: shape.items,
      valueByteCount: shape.valueByteCount,
      unit: Workload.open.unit,
      store: Summary.Sides(milliseconds: kept.map(store)),
      floor: Summary.Sides(milliseconds: kept.map(floor)),
      others: Quantiles.median(kept.map(\.others)),
      keptRounds: kept.count,
      rounds: count
    )
  }
}
