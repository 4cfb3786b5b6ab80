/// The statements around a transaction.
struct Transactions {
  let beginRead = Statement("BEGIN DEFERRED")
  let beginWrite = Statement("BEGIN IMMEDIATE")
  let commit = Statement("COMMIT")
  static let rollback: StaticString = "ROLLBACK"
}
