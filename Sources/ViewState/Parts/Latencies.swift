public import CanonicalJSON

/// The times that sources take, besides that of their calls, before they answer: for tests of clients.
///
/// ```swift
/// var latencies = Latencies(["posts": .seconds(4)], others: .milliseconds(500))
/// latencies["profile"] = .zero
/// ```
///
/// A source that reads a store answers after its latency, and one that calls another service makes its call after it. A
/// look-up with a time of its own takes that time.
public struct Latencies: Sendable {
  private var named: [Text: Duration]
  private let others: Duration

  /// - Parameters:
  ///   - named: The latencies of sources by their names.
  ///   - others: The latency of all other sources.
  public init(_ named: [Text: Duration] = [:], others: Duration = .zero) {
    (self.named, self.others) = (named, others)
  }

  /// The latency of a source.
  public subscript(source: Text) -> Duration {
    get { named[source] ?? others }
    set { named[source] = newValue }
  }

  /// The names of the sources with a latency of their own, in ascending order.
  package var names: [Text] { named.keys.sorted() }
}
