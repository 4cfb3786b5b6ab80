import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// What became of one look at a row.
enum RowReading<Result> {
  /// The row was read at the state that its claim was verified for.
  case done(Result)
  /// Another commit came in between; look again inside a transaction.
  case stale
}

extension Session {
  /// Finds the claim of a lookup and lends its row.
  ///
  /// The first try takes the claim from verified pages in memory and needs no transaction, since the one
  /// statement of `body` reads the group's position too. Where that is not enough, the second runs inside a
  /// read transaction.
  ///
  /// - Returns: `nil` where verified pages hold no such claim, or a tombstone.
  func withRow<Result>(
    _ lookup: Digest,
    in group: OpenGroup,
    startsInTransaction: Bool = false,
    _ body: (Span<UInt8>, GroupSnapshot) throws(VaultError) -> RowReading<Result>
  ) throws(VaultError) -> Result? {
    let known = group.snapshot
    let number = ClaimPage.number(of: lookup)
    if !startsInTransaction {
      switch cachedPage(number, in: known) {
      case .found(let page):
        if let index = page.liveIndex(of: lookup) {
          let row = page.rows.span.extracting(page.rowRange(at: index))
          do throws(VaultError) {
            if case .done(let result) = try body(row, known) { return result }
          } catch {
            // What the claim forbids counts only while the claim does.
            if try isCurrent(known, of: group) { throw error }
          }
        } else if try isCurrent(known, of: group) {
          return nil
        }
      case .absent: if try isCurrent(known, of: group) { return nil }
      case .unknown: break
      }
    }
    return try inReadTransaction { () throws(VaultError) in
      let snapshot = try refresh(group, known: known)
      guard let page = try page(number, in: snapshot, of: group),
        let index = page.liveIndex(of: lookup)
      else { return nil }
      let row = page.rows.span.extracting(page.rowRange(at: index))
      // Nothing can come in between here: the transaction reads one state.
      guard case .done(let result) = try body(row, snapshot) else { throw VaultError(.tampered) }
      return result
    }
  }

  /// Runs `body` in a transaction whose reads all see one state.
  func inReadTransaction<Result>(
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    do { try connection.beginRead() } catch { throw VaultError(translating: error) }
    defer { connection.rollback() }
    return try body()
  }

  /// Opens one part of a row, if the group is still at `snapshot`.
  func read(
    _ part: BoxPart,
    row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup
  ) throws(VaultError) -> RowReading<SecretBytes> {
    switch try readUnlessEmpty(part, row: row, at: snapshot, in: group) {
    case .done(let bytes?): return .done(bytes)
    case .done(nil): throw VaultError(.tampered)
    case .stale: return .stale
    }
  }

  /// Opens one part of a row as ``read(_:row:at:in:)`` does; gives `nil` where there is no box, not even of nothing.
  private func readUnlessEmpty(
    _ part: BoxPart,
    row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup
  ) throws(VaultError) -> RowReading<SecretBytes?> {
    enum Outcome {
      case opened(SecretBytes?)
      case failed(VaultError)
      case stale
    }
    do {
      let box: UInt64 = try row.integer(at: Claim.boxRange.lowerBound)
      let outcome = try connection.withBox(
        part,
        box: Int64(clamping: box),
        groupRow: group.row
      ) { counter, tag, blob -> Outcome in
        guard snapshot.matches(counter: counter, tag: tag) else { return .stale }
        // A claim whose box is missing is tampering.
        guard let blob else { return .failed(VaultError(.tampered)) }
        if blob.isEmpty { return .opened(nil) }
        do throws(VaultError) {
          return .opened(try cipher.open(blob, part, row: row, in: group))
        } catch {
          return .failed(error)
        }
      }
      switch outcome {
      case .opened(let bytes): return .done(bytes)
      case .failed(let error): throw error
      case .stale: return .stale
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens the history of an item whose attributes were opened from the same row.
  ///
  /// - Throws: ``VaultError`` with the code `tampered` where it has not the number of entries that they promise.
  func readHistory(
    of item: SecretItem,
    row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup
  ) throws(VaultError) -> RowReading<ItemHistory> {
    switch try readUnlessEmpty(.history, row: row, at: snapshot, in: group) {
    case .done(let bytes?): return .done(try ItemHistory(bytes, promisedCount: item.historyCount))
    case .done(nil) where item.historyCount == 0: return .done(.empty)
    case .done(nil): throw VaultError(.tampered)
    case .stale: return .stale
    }
  }

  private func isCurrent(_ known: GroupSnapshot, of group: OpenGroup) throws(VaultError) -> Bool {
    do {
      guard let position = try connection.position(groupRow: group.row) else { return false }
      return known.matches(counter: position.counter, tag: position.tag.span)
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension ClaimPage {
  /// Where the claim of a lookup is, unless it is a tombstone.
  func liveIndex(of lookup: Digest) -> Int? {
    guard let index = index(of: lookup) else { return nil }
    let flags = ClaimFlags(rawValue: rows[rowRange(at: index).lowerBound + Claim.flagsOffset])
    return flags.contains(.tombstone) ? nil : index
  }
}
