import Foundation
import Synchronization

/// Many threads that do the same at once.
enum Crowd {
  /// Runs `body` in as many threads, and returns when all have ended.
  ///
  /// - Throws: The first error of any of them.
  static func run(_ count: Int, _ body: @escaping @Sendable () throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      Thread.detachNewThread {
        do { try body() } catch { failure.withLock { $0 = $0 ?? error } }
        group.leave()
      }
    }
    group.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
