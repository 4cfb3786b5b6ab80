import Dispatch

/// Where calls that block run on behalf of `async` code.
///
/// They have a queue of their own, so that waiting for the disk, for another process or for scrypt does not hold up the
/// cooperative pool.
package enum BlockingCalls {
  private static let queue = DispatchQueue(
    label: "secretvault.store",
    qos: .userInitiated,
    attributes: .concurrent
  )

  /// Runs a call and waits for its result without blocking a thread of the pool.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        let result: Result<Value, Failure>
        do throws(Failure) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }
}
