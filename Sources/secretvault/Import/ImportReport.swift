import SecretVault

/// What became of one row.
struct ImportOutcome {
  enum Action: String, CaseIterable {
    case added
    case replaced
    case unchanged
    case exists
    case conflict
    case refused
    case skipped
  }

  let action: Action
  let line: Int
  var identity: ItemIdentity
  /// Why, where the action does not say it.
  let reason: String?

  init(_ row: ImportRow, _ action: Action, _ reason: String?) {
    self.action = action
    self.reason = reason
    line = row.line
    identity = row.item.identity
  }
}

/// The report about all rows: one a line, in the order of the file.
struct ImportReport {
  private let outcomes: [ImportOutcome]
  private let isDryRun: Bool

  init(_ outcomes: [ImportOutcome], isDryRun: Bool) {
    self.outcomes = outcomes
    self.isDryRun = isDryRun
  }

  /// Writes the rows to standard output, and a sum beside it.
  ///
  /// - Throws: A failure to write; after that, a failure where a row was left out that should not be: with
  ///   the code 5 if all of them are in the vault already, else 1.
  func write(_ console: Console) throws {
    if console.usesJSON {
      let rows = JSON.array(outcomes.map { .object(Self.members(of: $0)) })
      try console.output.write(line: .document([("dryRun", .bool(isDryRun)), ("rows", rows)]))
    } else {
      for outcome in outcomes { try console.output.write(Self.line(of: outcome) + "\n") }
    }
    let sums = ImportOutcome.Action.allCases.compactMap { action -> String? in
      let count = count(of: [action])
      return count > 0 ? "\(count) \(action.rawValue)" : nil
    }
    let sum = sums.isEmpty ? "the file has nothing to import" : sums.joined(separator: ", ")
    console.note(isDryRun ? "dry run, nothing was stored: \(sum)" : sum)
    try requireComplete()
  }

  private func requireComplete() throws(Failure) {
    let leftOut = count(of: [.conflict, .refused])
    if leftOut > 0 {
      throw Failure(
        .other,
        name: "rowsLeftOut",
        "\(leftOut) rows could not be imported; the report says why"
      )
    }
    let existing = count(of: [.exists])
    if existing > 0 {
      throw Failure(
        .alreadyExists,
        name: "itemsExist",
        "\(existing) items exist with another secret and were left alone; --replace takes the file's"
      )
    }
  }

  private func count(of actions: [ImportOutcome.Action]) -> Int {
    outcomes.count { actions.contains($0.action) }
  }

  private static func line(of outcome: ImportOutcome) -> String {
    let identity = outcome.identity
    let names = [
      Array((identity.group ?? "").utf8), identity.service.bytes, identity.account.bytes,
    ]
    let fields = [outcome.action.rawValue] + names.map(TextEscaping.escaped)
    return (fields + (outcome.reason.map { [$0] } ?? [])).joined(separator: "\t")
  }

  private static func members(of outcome: ImportOutcome) -> [(name: String, value: JSON)] {
    let identity = outcome.identity
    return [
      ("action", .string(outcome.action.rawValue)),
      ("line", .number(UInt64(clamping: outcome.line))),
      ("group", identity.group.map { .string($0) } ?? .null),
      ("service", .bytes(identity.service.bytes)),
      ("account", .bytes(identity.account.bytes)),
      ("reason", outcome.reason.map { .string($0) } ?? .null),
    ]
  }
}
