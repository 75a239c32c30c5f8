/// Counts the requests that wait for a change, and refuses those beyond the limits.
struct WaitingPlaces: Sendable {
  /// The reason why a request gets no place.
  enum Refusal: Hashable, Sendable {
    case tooMany
    case tooManyFromAddress
    case draining
  }

  private let limits: WaitingLimits
  private var countByAddress: [String: Int] = [:]
  /// The number of taken places.
  private(set) var count = 0
  /// Whether the server shuts down, so that no request gets a place any more.
  private(set) var isDraining = false

  init(limits: WaitingLimits) {
    self.limits = limits
  }

  /// Gives no more places.
  mutating func drain() { isDraining = true }

  /// Takes a place for a request from an address.
  ///
  /// - Returns: The reason why it gets none; `nil` if it gets one.
  mutating func take(from address: String) -> Refusal? {
    if isDraining { return .draining }
    if count >= limits.total { return .tooMany }
    let others = countByAddress[address, default: 0]
    if others >= limits.perAddress { return .tooManyFromAddress }
    count += 1
    countByAddress[address] = others + 1
    return nil
  }

  /// Gives back a place that was taken from an address.
  mutating func leave(_ address: String) {
    count -= 1
    let others = countByAddress[address, default: 1] - 1
    countByAddress[address] = others > 0 ? others : nil
  }
}

/// The number of requests that may wait for a change at once: long polls, event streams and sync polls.
public struct WaitingLimits: Hashable, Sendable {
  /// The number of all requests. One more gets a 503 problem, `too-many-waiting`, with Retry-After.
  public var total: Int
  /// The number of requests from one address. One more gets a 429 problem, `too-many-waiting-here`, with
  /// Retry-After. Behind a proxy all clients have its address.
  public var perAddress: Int

  /// Creates limits.
  public init(total: Int = 9_000, perAddress: Int = 1_000) {
    self.total = total
    self.perAddress = perAddress
  }
}
