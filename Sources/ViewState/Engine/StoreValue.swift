public import CanonicalJSON

/// The value of a ``Store``: the rules that a write must hold, without locks, time or observers.
///
/// ```swift
/// struct Numbers: StoreValue {
///   var numbers: [Text: Int] = [:]
///
///   mutating func apply(_ new: [Text: Int], at time: Timestamp) -> Written<Void> {
///     let changed = new.keys.filter { numbers[$0] != new[$0] }
///     numbers.merge(new) { $1 }
///     return Written((), changing: changed, of: "numbers")
///   }
/// }
/// ```
///
/// A copy should cost O(1), and a write no more than it changes: the screens go on reading the value as
/// it was until the write is published.
public protocol StoreValue: Codable, Sendable {
  /// What a client can do to the value.
  associatedtype Write: Codable, Sendable
  /// What a write answers.
  associatedtype Output: Sendable
  /// Why a write is refused.
  associatedtype Refusal: Error

  /// Does a write whole or, if it throws, not at all.
  ///
  /// Pure: equal values and writes give equal values and outputs.
  ///
  /// - Parameters:
  ///   - write: The write to do.
  ///   - time: The time of the input, which is the only time that a write may use.
  mutating func apply(_ write: Write, at time: Timestamp) throws(Refusal) -> Written<Output>
}

/// What a write did.
public struct Written<Output: Sendable>: Sendable {
  /// The answer.
  public let output: Output
  /// What it changed; `nil` if nothing.
  let change: StoreChange?

  /// A write that changed something.
  ///
  /// - Parameters:
  ///   - output: The answer to the write.
  ///   - created: The keys of elements that are new.
  ///   - changed: The keys of elements that changed; an element that is new or gone is not among them.
  ///   - removed: The keys of elements that are gone.
  ///   - source: The name of the source in the causes of revisions.
  public init(
    _ output: Output, creating created: [Text] = [], changing changed: [Text] = [],
    removing removed: [Text] = [], of source: Text
  ) {
    self.output = output
    change = StoreChange(created: created, changed: changed, removed: removed, source: source)
  }

  /// A write that changed nothing.
  public init(unchanged output: Output) {
    self.output = output
    change = nil
  }

  /// The same with another answer.
  public func map<Other>(_ transform: (Output) -> Other) -> Written<Other> {
    Written<Other>(transform(output), change)
  }

  private init(_ output: Output, _ change: StoreChange?) {
    self.output = output
    self.change = change
  }
}

/// What a write changed in a store.
struct StoreChange: Sendable {
  var created: [Text] = []
  var changed: [Text] = []
  var removed: [Text] = []
  /// The name of the source in the causes of revisions.
  var source: Text

  /// The keys of the screens that may show something else now.
  var keys: [Text] { created + changed + removed }
}
