public import CanonicalJSON

/// The value of a ``Store``: data, and the writes that change it, without locks, clock or observers.
///
/// ```swift
/// struct Numbers: StoreValue {
///   var numbers: [Text: Int] = [:]
///
///   mutating func apply(
///     _ new: [Text: Int], at time: Timestamp
///   ) throws(StoreError) -> Written<Void> {
///     let changed = new.keys.filter { numbers[$0] != new[$0] }
///     numbers.merge(new) { $1 }
///     return Written((), changing: changed, of: "numbers")
///   }
/// }
/// ```
///
/// A copy should cost O(1), and a write no more than what it changes: until the write is published, screens
/// read the previous value.
public protocol StoreValue: Codable, Sendable {
  /// A write to the value.
  associatedtype Write: Codable, Sendable
  /// The answer to a write.
  associatedtype Output: Sendable

  /// Applies a write. If it throws, the store keeps the value from before, whatever the function has changed.
  ///
  /// Pure: equal values, writes and times give equal values and outputs.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - time: The time of the input, which is the only time that a write may use.
  /// - Returns: The answer, and the keys of the elements that changed.
  /// - Throws: `StoreError` if the value does not allow the write.
  mutating func apply(_ write: Write, at time: Timestamp) throws(StoreError) -> Written<Output>
}

/// The answer to a write, with the keys of the elements that it changed.
public struct Written<Output: Sendable>: Sendable {
  /// The answer.
  public let output: Output
  /// The change of the store; `nil` if the write changed nothing.
  let change: StoreChange?
  /// The memory of what the write made beside its input, in bytes, estimated.
  private(set) var madeByteCount = 0

  /// Creates the result of a write that changed elements.
  ///
  /// - Parameters:
  ///   - output: The answer to the write.
  ///   - created: The keys of the elements that the write created.
  ///   - changed: The keys of the elements that the write changed, without those that it created or removed.
  ///   - removed: The keys of the elements that the write removed.
  ///   - source: The name of the source in the causes of revisions.
  public init(
    _ output: Output, creating created: [Text] = [], changing changed: [Text] = [],
    removing removed: [Text] = [], of source: Text
  ) {
    self.output = output
    change = StoreChange(
      created: StoreChange.Keys(created), changed: StoreChange.Keys(changed),
      removed: StoreChange.Keys(removed), source: source)
  }

  /// Creates the result of a write that changed nothing.
  public init(unchanged output: Output) {
    self.output = output
    change = nil
  }

  /// Returns the same result with another answer.
  public func map<Other>(_ transform: (Output) -> Other) -> Written<Other> {
    Written<Other>(transform(output), change, madeByteCount)
  }

  /// Returns the same result for a write that has made much beside its input, such as a copy of a long list. Earlier
  /// values of the store are kept only as long as their memory allows, which cannot be seen from the input alone.
  ///
  /// - Parameter byteCount: The memory of what the write made beside its input, in bytes, estimated.
  public func making(_ byteCount: Int) -> Written {
    Written(output, change, madeByteCount + byteCount)
  }

  private init(_ output: Output, _ change: StoreChange?, _ madeByteCount: Int) {
    self.output = output
    self.change = change
    self.madeByteCount = madeByteCount
  }
}

/// The keys of the elements that a write changed in a store.
struct StoreChange: Sendable {
  let created: Keys
  let changed: Keys
  let removed: Keys
  /// The name of the source in the causes of revisions.
  let source: Text

  /// The keys of the view models that may show a change.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  var keys: [Text] { created.list + changed.list + removed.list }

  /// Returns whether the view model of a key may show a change.
  ///
  /// - Complexity: O(1) expected.
  func concerns(_ key: Text) -> Bool {
    created.contains(key) || changed.contains(key) || removed.contains(key)
  }

  /// Some keys, each of which is found without a search.
  struct Keys: Sendable {
    let list: [Text]
    /// `nil` if the keys are so few that a search takes no longer.
    private let set: Set<Text>?

    init(_ list: [Text]) {
      self.list = list
      set = list.count > 8 ? Set(list) : nil
    }

    func contains(_ key: Text) -> Bool { set?.contains(key) ?? list.contains(key) }
  }
}
