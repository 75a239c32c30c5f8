import HTTPTypes
import MicroHTTP

/// Counts the requests that wait for a change, and refuses those beyond the limits.
struct WaitingPlaces: Sendable {
  private let limits: WaitingLimits
  private var countByAddress: [String: Int] = [:]
  /// The number of taken places.
  private(set) var count = 0
  /// Whether the server shuts down, so that no request gets a place any more.
  var isDraining = false

  init(limits: WaitingLimits) {
    self.limits = limits
  }

  /// Takes a place for a request from an address.
  ///
  /// - Throws: A 429 or 503 problem with Retry-After if there are too many, a 503 problem if the server shuts
  ///   down.
  mutating func take(from address: String) throws(ProblemDetails) {
    if isDraining { throw .shuttingDown() }
    let retry: HTTPFields = [.retryAfter: "5"]
    guard count < limits.total else {
      throw ProblemDetails(
        status: .serviceUnavailable, code: "too-many-waiting",
        detail: "the server lets no more requests wait for a change", fields: retry)
    }
    let others = countByAddress[address, default: 0]
    guard others < limits.perAddress else {
      throw ProblemDetails(
        status: .tooManyRequests, code: "too-many-waiting-here",
        detail: "the server lets no more requests from this address wait for a change",
        fields: retry)
    }
    count += 1
    countByAddress[address] = others + 1
  }

  /// Gives back a place that was taken from an address.
  mutating func leave(_ address: String) {
    count -= 1
    let others = countByAddress[address, default: 1] - 1
    countByAddress[address] = others > 0 ? others : nil
  }
}

/// The number of requests that may wait for a change at once: long polls, event streams and sync polls.
package struct WaitingLimits: Hashable, Sendable {
  /// The number of all requests. One more gets a 503 problem, `too-many-waiting`, with Retry-After.
  package var total: Int
  /// The number of requests from one address. One more gets a 429 problem, `too-many-waiting-here`, with
  /// Retry-After. Behind a proxy all clients have its address.
  package var perAddress: Int

  /// Creates limits.
  package init(total: Int = 9_000, perAddress: Int = 1_000) {
    self.total = total
    self.perAddress = perAddress
  }
}
