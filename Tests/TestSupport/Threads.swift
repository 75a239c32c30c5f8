import Dispatch
import Foundation
import Synchronization

/// Runs blocking bodies at once, each on a thread of its own, and returns what they return.
///
/// - Throws: the first error, once all have ended.
package func onThreads<Result: Sendable>(
  _ bodies: [@Sendable () throws -> Result]
) throws -> [Result] {
  let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
  let group = DispatchGroup()
  for (index, body) in bodies.enumerated() {
    group.enter()
    Thread.detachNewThread {
      let result = Swift.Result { try body() }
      results.withLock { $0[index] = result }
      group.leave()
    }
  }
  group.wait()
  return try bodies.indices.compactMap { index in
    try results.withLock { $0[index] }?.get()
  }
}
