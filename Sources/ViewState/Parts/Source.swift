public import CanonicalJSON

/// The source of the value of a part: an `async` function of the key of a view model, or a read of a
/// ``Store``.
///
/// ```swift
/// let holidays = Source(every: .seconds(60)) { country in
///   let (data, _) = try await URLSession.shared.data(from: address(of: country))
///   return try JSONDecoder().decode([Holiday].self, from: data)
/// }
/// ```
///
/// An error of the function ends the load as failed: a ``LoadFailure`` with its code and message, any other
/// error with the code `unavailable`, and its description goes to the log alone. One call serves all view models that
/// wait for the same source and key. A call that takes longer than the time-out of the engine is cancelled.
/// The function must end then: at most 32 calls for a view model run at once, for each session on its own, including
/// those that go on although they were cancelled. A further call waits until one of them ends, and its load times out if
/// none does.
///
/// The function may block its thread: the calls of all sources run on threads of their own.
public struct Source<Value: Codable & Equatable & Sendable>: Sendable {
  let fetch: Fetch<NoFields, Value>

  /// Creates a source outside of the engine.
  ///
  /// - Parameters:
  ///   - interval: The time after which a loaded value is loaded again, as long as the view model is in
  ///     use. Such a periodic load has no loading state, and its failure keeps the old value. Without an
  ///     interval, only commands load.
  ///   - load: Returns the value for the key of a view model.
  /// - Precondition: The interval is longer than zero.
  public init(
    every interval: Duration? = nil, load: @escaping @Sendable (_ key: Text) async throws -> Value
  ) {
    if let interval, interval <= .zero {
      fatalError(
        "a source cannot be loaded every \(interval): pass nil to load it by commands alone")
    }
    fetch = Fetch(every: interval) { key, _ in try await load(key) }
  }

  /// Creates a source that reads a store. Screens show a write to the store at once, without a load: after each write,
  /// `value` is called for each view model in use, and for each with a state of its own. A source that reads the element
  /// of a ``NestedCollection`` whose id is the key is called only after a write to that element: see
  /// the initializer whose store has such a collection.
  ///
  /// A journal records the value with each state, so on a personal screen once for each session. If each session shows
  /// only a few elements of a long list, define ``Screen/follow(_:on:for:)`` instead, which puts these alone into the
  /// state, at the cost of a look through the list for each session after each write.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - value: Returns the value for a key, or throws if there is none: see ``LoadFailure``.
  public init<Stored: StoreValue>(
    reading store: Store<Stored>,
    value: @escaping @Sendable (Stored, _ key: Text) throws -> Value
  ) {
    fetch = Fetch(.whole(of: store)) { _, key, _, stores in try value(stores[store], key) }
  }
}

/// The work that answers a request of a part, and the value at its end.
struct Fetch<Request: Codable & Hashable & Sendable, Value: Codable & Sendable>: Sendable {
  /// The store that is read; none for a source outside of the engine.
  let shownStores: [ShownStore]
  let interval: Duration?
  let work: @Sendable (Text, Request, Stores) -> Work
  /// Returns the value at the end of a load: the one from outside, or the one that the store has now.
  let value: @Sendable (JSONValue?, Text, Request, Stores) throws -> Value

  init(
    every interval: Duration? = nil,
    load: @escaping @Sendable (Text, Request) async throws -> Value
  ) {
    let identity = SourceIdentity()
    self.interval = interval
    shownStores = []
    work = { key, request, _ in
      let asked = (try? JSONValue(encoding: request)) ?? .null
      return .running(
        OutsideLoad(identity: identity, key: key, request: asked) {
          try JSONValue(encoding: try await load(key, request))
        })
    }
    value = { json, _, _, _ in
      do { return try (json ?? .null).decode(Value.self) } catch {
        throw LoadFailure.unreadable.because("\(error)")
      }
    }
  }

  init(
    _ store: ShownStore,
    work: @escaping @Sendable (Text, Request, Stores) -> Work = { _, _, _ in
      .succeeding(after: .zero)
    },
    value: @escaping @Sendable (JSONValue?, Text, Request, Stores) throws -> Value
  ) {
    shownStores = [store]
    interval = nil
    self.work = work
    self.value = value
  }
}

extension LoadFailure {
  /// The answer of the source is no value of the part, or the request cannot be written as JSON.
  static let unreadable = LoadFailure(
    code: "malformed",
    message: Localized(
      en: "The request or the answer of the source cannot be read.",
      de: "Die Anfrage oder die Antwort der Quelle kann nicht gelesen werden."))
}
