public import CanonicalJSON

/// The latencies of sources, for tests of clients.
///
/// ```swift
/// var latencies = Latencies(["posts": .seconds(4)], others: .milliseconds(500))
/// latencies["profile"] = .zero
/// ```
///
/// A source that reads a store answers after its latency. A source that calls another service makes the call after its
/// latency. A look-up with a time of its own, by `after:` of ``LookingUp``, takes that time unless its part is named
/// here. A fault script may override a latency.
public struct Latencies: Sendable {
  private var named: [Text: Duration]
  private let others: Duration

  /// Creates the latencies of all sources.
  ///
  /// - Parameters:
  ///   - named: The latencies of sources by their names.
  ///   - others: The latency of all other sources.
  public init(_ named: [Text: Duration] = [:], others: Duration = .zero) {
    (self.named, self.others) = (named, others)
  }

  /// The latency of a source by its name; the latency of all other sources, if it has none of its own.
  public subscript(source: Text) -> Duration {
    get { named[source] ?? others }
    set { named[source] = newValue }
  }

  /// Returns the work of a source with its latency. Work with a time of its own keeps it, unless the source is named.
  func apply(to work: Work, of source: Text) -> Work {
    work.taking(named[source] ?? (work.latency == .zero ? others : nil))
  }

  /// The names of the sources with a latency of their own, in ascending order.
  package var names: [Text] { named.keys.sorted() }
}
