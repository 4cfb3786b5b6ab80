/// One of the two things that are compared: a store of items that can be driven and checked.
///
/// A `Value` is made before the clock runs; the names travel as an ``Entry``.
protocol Subject: AnyObject {
  /// The form in which the subject takes a value.
  associatedtype Value

  /// Makes an empty store in an empty folder and leaves it open.
  init(folder: String, shape: Shape) throws(BenchmarkError)

  /// The file that holds the items.
  var path: String { get }

  /// Brings a value into the form that ``put(_:_:)`` takes.
  func value(_ bytes: [UInt8]) throws(BenchmarkError) -> Value

  /// Stores one item durably, new or over the old one.
  func put(_ entry: Entry, _ value: Value) throws(BenchmarkError)

  /// Stores many items in one durable transaction.
  func putTogether(_ entries: ArraySlice<Entry>, _ values: [Value]) throws(BenchmarkError)

  /// Reads one value and keeps it for ``lastReadEquals(_:)``; `false` where there is no such item.
  func read(_ entry: Entry) throws(BenchmarkError) -> Bool

  /// Whether the value that was read last is this one.
  func lastReadEquals(_ bytes: [UInt8]) -> Bool

  /// Reads the attributes of all items and returns how many there are.
  func list() throws(BenchmarkError) -> Int

  /// Lets go of what the last listing returned.
  func forgetListing()

  /// The names that a listing gives, for checking.
  func listedNames() throws(BenchmarkError) -> [Names]

  /// Removes one item durably; `false` where there is none.
  func remove(_ entry: Entry) throws(BenchmarkError) -> Bool

  /// Makes ready for new keys, and returns what makes them and seals every item anew in one durable transaction.
  func makeRotation() throws(BenchmarkError) -> () throws(BenchmarkError) -> Void

  /// Writes the write-ahead log back into the file and empties it.
  func settle() throws(BenchmarkError)

  /// Opens the closed store until it is ready for the first call.
  func open() throws(BenchmarkError)

  /// Closes the store.
  func close() throws(BenchmarkError)
}

/// How many items a store holds, and how large each value is, in bytes.
struct Shape: Hashable {
  let items: Int
  let valueByteCount: Int
}
