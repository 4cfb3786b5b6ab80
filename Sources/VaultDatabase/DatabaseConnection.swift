/// An open vault file.
///
/// It is used by one thread at a time and never carried across `fork`. Byte strings are written and read exactly;
/// what is read has been checked for type, length and range, or the call throws `malformedRow`. Changes need a write
/// transaction. While a closure that was given to this connection runs, every other call on it throws `misuse` or,
/// where it cannot throw, does nothing; so what the closure borrows stays valid.
package protocol DatabaseConnection: AnyObject {
  // MARK: Transactions

  /// Begins a transaction whose reads all see the state at the first of them.
  func beginRead() throws(DatabaseError)

  /// Begins a transaction that holds the only write lock; throws `busy` when it cannot be had in time.
  func beginWrite() throws(DatabaseError)

  /// The same, waiting no longer than a number of milliseconds.
  func beginWrite(waiting milliseconds: Int32) throws(DatabaseError)

  /// Compiles what a commit of one item runs, so that it is not done while other writers wait.
  func prepareForNewItem() throws(DatabaseError)

  /// Makes the changes durable; on failure the transaction is rolled back.
  func commit() throws(DatabaseError)

  /// Undoes the transaction; does nothing outside one.
  func rollback()

  // MARK: Head and slots

  /// Reads the head; throws `missingRow` if there is none.
  func head() throws(DatabaseError) -> HeadRow

  /// Writes the head, over the former one.
  func putHead(_ head: HeadRow) throws(DatabaseError)

  /// Reads the slots in ascending order of id, at most 65: one more than a vault may have.
  func slots() throws(DatabaseError) -> [SlotRow]

  /// Writes a slot, over the former one of the same id.
  func putSlot(_ slot: SlotRow) throws(DatabaseError)

  /// Removes a slot if it is there.
  func deleteSlot(id: Span<UInt8>) throws(DatabaseError)

  // MARK: Groups

  /// Reads the groups in ascending order of id, at most 1 025: one more than a vault may have.
  func groups() throws(DatabaseError) -> [GroupRow]

  /// Reads one group, or nil if there is no such row.
  func group(row: Int64) throws(DatabaseError) -> GroupRow?

  /// Reads the two columns that tell whether a group has changed, or nil if there is no such row.
  func position(groupRow: Int64) throws(DatabaseError) -> GroupPosition?

  /// Adds a group and returns its row number.
  func insertGroup(
    id: Span<UInt8>,
    record: Span<UInt8>,
    counter: Int64,
    tag: Span<UInt8>,
    name: Span<UInt8>,
    state: Span<UInt8>,
    branches: Span<UInt8>
  ) throws(DatabaseError) -> Int64

  /// Changes what every commit to a group changes; throws `missingRow` if there is no such row.
  func updateGroupState(
    row: Int64,
    counter: Int64,
    tag: Span<UInt8>,
    state: Span<UInt8>,
    branches: Span<UInt8>
  ) throws(DatabaseError)

  /// Changes a group's record; throws `missingRow` if there is no such row.
  func updateGroupRecord(row: Int64, record: Span<UInt8>) throws(DatabaseError)

  /// Changes a group's name; throws `missingRow` if there is no such row.
  func updateGroupName(row: Int64, name: Span<UInt8>) throws(DatabaseError)

  // MARK: Pages

  /// Reads the pages with numbers `first` through `last`, ascending.
  ///
  /// At most one more than the range can hold is read, so a damaged table cannot make the result long.
  func pages(
    group: Span<UInt8>,
    from first: Int,
    through last: Int
  ) throws(DatabaseError) -> [PageRow]

  /// Writes a page, over the former one of the same number.
  func putPage(group: Span<UInt8>, _ page: PageRow) throws(DatabaseError)

  /// Removes a page if it is there.
  func deletePage(group: Span<UInt8>, number: Int) throws(DatabaseError)

  /// Removes the pages with numbers `first` through `last`.
  func deletePages(group: Span<UInt8>, from first: Int, through last: Int) throws(DatabaseError)

  /// Removes all pages of a group.
  func deleteAllPages(group: Span<UInt8>) throws(DatabaseError)

  // MARK: Claims

  /// Appends the claims with lookups `first` through `last`, ascending, and returns how many.
  ///
  /// Each adds 107 bytes, the columns in the table's order: item_id 16, kind 1, class 1, flags 1, device_id 16,
  /// version 8, lookup 32, rev 24, box 8; integers big-endian. No more than `limit` rows are read. If the call
  /// throws, `rows` is as before.
  func appendClaims(
    group: Span<UInt8>,
    from first: Span<UInt8>,
    through last: Span<UInt8>,
    limit: Int,
    to rows: inout [UInt8]
  ) throws(DatabaseError) -> Int

  /// Writes a claim of 107 bytes, over the former one of the same lookup.
  func putClaim(group: Span<UInt8>, row: Span<UInt8>) throws(DatabaseError)

  /// Removes a claim if it is there.
  func deleteClaim(group: Span<UInt8>, lookup: Span<UInt8>) throws(DatabaseError)

  /// Removes the claims with lookups `first` through `last`.
  func deleteClaims(
    group: Span<UInt8>,
    from first: Span<UInt8>,
    through last: Span<UInt8>
  ) throws(DatabaseError)

  /// Removes all claims of a group.
  func deleteAllClaims(group: Span<UInt8>) throws(DatabaseError)

  // MARK: Boxes

  /// Adds a box and returns its row number.
  func insertBox(
    attributes: Span<UInt8>,
    secret: Span<UInt8>,
    history: Span<UInt8>
  ) throws(DatabaseError) -> Int64

  /// Rewrites a box in place; throws `missingRow` if there is no such row.
  func updateBox(
    id: Int64,
    attributes: Span<UInt8>,
    secret: Span<UInt8>,
    history: Span<UInt8>
  ) throws(DatabaseError)

  /// Removes a box if it is there.
  func deleteBox(id: Int64) throws(DatabaseError)

  /// Lends a part of a box together with the position of its group, both from one snapshot.
  ///
  /// The blob is the engine's own memory, valid during the call of `body`, and nil if the box is missing. Throws
  /// `missingRow` if the group is missing.
  func withBox<Result: ~Copyable>(
    _ part: BoxPart,
    box: Int64,
    groupRow: Int64,
    _ body: (_ counter: Int64, _ tag: Span<UInt8>, _ blob: Span<UInt8>?) -> Result
  ) throws(DatabaseError) -> Result

  /// Lends the attributes of every box in ascending order of row number, until `body` returns false.
  func forEachAttributes(
    _ body: (_ box: Int64, _ attributes: Span<UInt8>) -> Bool
  ) throws(DatabaseError)

  /// Names every box and its sizes in ascending order of row number, until `body` returns false.
  func forEachBox(_ body: (BoxSizes) -> Bool) throws(DatabaseError)

  // MARK: The whole file

  /// Writes the write-ahead log back into the file, without waiting for other connections.
  ///
  /// Not inside a transaction. Returns whether all of the log was written back and, for `.truncate`, the log is empty;
  /// a reader or writer that prevents that is no error.
  func checkpoint(_ mode: CheckpointMode) throws(DatabaseError) -> Bool

  /// Makes durable what is in the write-ahead log, whoever wrote it.
  func synchronizeLog() throws(DatabaseError)

  /// Checks the structure of the whole file and returns whether it is sound; reads every page.
  func integrityCheck() throws(DatabaseError) -> Bool

  /// Copies one snapshot of the file into an existing, empty file, which is durable on return.
  func backup(to path: String) throws(DatabaseError)

  /// Replaces the content of this file by one snapshot of another vault file, in one commit.
  ///
  /// Other connections to this file see the new content as they see any commit. Neither connection may be in a
  /// transaction that writes, nor this one in any.
  func restore(from source: any DatabaseConnection) throws(DatabaseError)

  /// Rolls back what is not committed and closes the file; every later call throws `misuse`.
  func close()
}
