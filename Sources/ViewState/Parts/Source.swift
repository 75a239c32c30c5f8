public import CanonicalJSON
public import Snapshots

/// Where a part of a screen gets its value: an `async` function of the screen's key, or a read of a
/// ``Store``.
///
/// ```swift
/// let holidays = Source("holidays", every: .seconds(60)) { country in
///   let (data, _) = try await URLSession.shared.data(from: address(of: country))
///   return try JSONDecoder().decode([Holiday].self, from: data)
/// }
/// ```
///
/// What the function throws ends the load as failed: a ``LoadFailure`` with its code, anything else as
/// `unavailable`. One call serves all screens that wait for the same source and key. A call that takes
/// longer than the time-out of the engine is cancelled.
public struct Source<Value: Codable & Equatable & Sendable>: Sendable {
  let fetch: Fetch<NoFields, Value>

  /// A source outside of the engine.
  ///
  /// - Parameters:
  ///   - load: Gets the value for the key of a view model.
  ///   - name: Its name in the states of view models, in causes and in records.
  ///   - interval: After a load, the value is loaded again each time this much time has passed, as long
  ///     as the screen is in use. The screen shows the new value without a loading state in between; a
  ///     failure keeps the value. Without an interval, only commands load.
  public init(
    _ name: Text, every interval: Duration? = nil,
    load: @escaping @Sendable (_ key: Text) async throws -> Value
  ) {
    fetch = Fetch(name, every: interval) { key, _ in try await load(key) }
  }

  /// A source that reads a store. A write to the store shows at once, without a load.
  ///
  /// - Parameters:
  ///   - name: Its name in the states of view models, in causes and in records.
  ///   - store: The store.
  ///   - latency: The duration of a load.
  ///   - value: Reads the value, and throws if there is none for the key.
  public init<Stored: StoreValue>(
    _ name: Text, reading store: Store<Stored>, latency: Duration = .zero,
    value: @escaping @Sendable (Stored, _ key: Text) throws(LoadFailure) -> Value
  ) {
    self.init(name, reading: store, work: { _, _ in .succeeding(after: latency) }, value: value)
  }

  /// A source that reads a store, whose loads take as long and end as a function decides.
  ///
  /// - Parameters:
  ///   - name: Its name in the states of view models, in causes and in records.
  ///   - store: The store.
  ///   - value: Reads the value, and throws if there is none for the key.
  ///   - work: Decides at the start of a load; it may write to stores.
  public init<Stored: StoreValue>(
    _ name: Text, reading store: Store<Stored>,
    work: @escaping @Sendable (_ key: Text, inout Transaction) -> Work,
    value: @escaping @Sendable (Stored, _ key: Text) throws(LoadFailure) -> Value
  ) {
    fetch = Fetch(name, .element(of: store), work) { (stores, key, _) throws(LoadFailure) in
      try value(stores[store], key)
    }
  }
}

/// Where a part of a screen gets the pages of a long list.
///
/// ```swift
/// PageSource("activity", size: 20, reading: store) { data, key in data.activity[key] }
/// ```
public struct PageSource<Item: Pageable & Codable>: Sendable where Item.Position: Codable {
  let fetch: Fetch<PageRequest<Item.Position>, Page<Item>>
  /// Reads the whole list of a store, so that a write shows at once.
  let list: (@Sendable (Stores, Text) -> KeyedSequence<Item>?)?

  /// A source outside of the engine; see ``Source/init(_:every:load:)``.
  public init(
    _ name: Text,
    load: @escaping @Sendable (_ key: Text, PageRequest<Item.Position>) async throws -> Page<Item>
  ) {
    fetch = Fetch(name, every: nil, load: load)
    list = nil
  }

  /// A source that reads the pages of a list in a store.
  ///
  /// - Parameters:
  ///   - name: Its name in the states of view models, in causes and in records.
  ///   - store: The store.
  ///   - size: The number of items of a page.
  ///   - work: Decides how a load goes; unless defined, it ends at once.
  ///   - list: Reads the list; `nil` if there is none for the key.
  /// - Precondition: `size` is at least 1.
  public init<Stored: StoreValue>(
    _ name: Text, size: Int, reading store: Store<Stored>,
    work: @escaping @Sendable (_ key: Text, inout Transaction) -> Work = { _, _ in
      .succeeding(after: .zero)
    },
    list: @escaping @Sendable (Stored, _ key: Text) -> KeyedSequence<Item>?
  ) {
    precondition(size >= 1, "a page without items has no end")
    fetch = Fetch(name, .element(of: store), work) { (stores, key, request) throws(LoadFailure) in
      guard let list = list(stores[store], key) else { throw .missing }
      return Page(request, of: list, size: size)
    }
    self.list = { list($0[store], $1) }
  }
}

/// How a part gets what it asks for, whatever it asks.
struct Fetch<Request: Codable & Hashable & Sendable, Value: Codable & Sendable>: Sendable {
  let name: Text
  /// The part of a store that is read; `nil` for a source outside.
  let store: StorePart?
  let interval: Duration?
  let work: @Sendable (Text, Request, inout Transaction) -> Work
  /// The value at the end of a load: what came from outside, or what the store has now.
  let value: @Sendable (JSONValue?, Text, Request, Stores) throws(LoadFailure) -> Value

  init(
    _ name: Text, every interval: Duration?,
    load: @escaping @Sendable (Text, Request) async throws -> Value
  ) {
    let identity = SourceIdentity()
    self.name = name
    self.interval = interval
    store = nil
    work = { key, request, _ in
      let asked = (try? JSONValue(encoding: request)) ?? .null
      return .running(
        OutsideLoad(identity: identity, name: name, key: key, request: asked) {
          try JSONValue(encoding: try await load(key, request))
        })
    }
    value = { (json, _, _, _) throws(LoadFailure) in
      guard let json, let value = try? json.decode(Value.self) else { throw .unreadable }
      return value
    }
  }

  init(
    _ name: Text, _ store: StorePart,
    _ work: @escaping @Sendable (Text, inout Transaction) -> Work,
    value: @escaping @Sendable (Stores, Text, Request) throws(LoadFailure) -> Value
  ) {
    self.name = name
    self.store = store
    interval = nil
    self.work = { key, _, transaction in work(key, &transaction) }
    self.value = { (_, key, request, stores) throws(LoadFailure) in
      try value(stores, key, request)
    }
  }
}

extension LoadFailure {
  /// The source answered with a value of another shape than its part keeps.
  static let unreadable = LoadFailure(
    code: "malformed", message: "The source answered with something that cannot be read.")
}
