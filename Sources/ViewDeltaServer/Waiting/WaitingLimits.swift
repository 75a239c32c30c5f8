/// How many requests may wait for a change at once: long polls, event streams and sync polls.
public struct WaitingLimits: Hashable, Sendable {
  /// In all. One more gets a 503 problem, `too-many-waiting`, with Retry-After.
  public var total: Int
  /// From one address of a client. One more gets a 429 problem, `too-many-waiting-here`, with
  /// Retry-After. Behind a proxy all clients have its address.
  public var perAddress: Int

  /// The defaults, where nothing else is said.
  public init(total: Int = 9_000, perAddress: Int = 1_000) {
    self.total = total
    self.perAddress = perAddress
  }
}
