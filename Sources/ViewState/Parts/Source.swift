public import CanonicalJSON
public import Snapshots

/// The source of the value of a part: an `async` function of the key of a view model, or a read of a
/// ``Store``.
///
/// ```swift
/// let holidays = Source("holidays", every: .seconds(60)) { country in
///   let (data, _) = try await URLSession.shared.data(from: address(of: country))
///   return try JSONDecoder().decode([Holiday].self, from: data)
/// }
/// ```
///
/// An error of the function ends the load as failed: a ``LoadFailure`` with its code and message, any other
/// error with the code `unavailable`, and its description goes to the log alone. One call serves all screens that
/// wait for the same source and key. A call that takes longer than the time-out of the engine is cancelled.
/// The function must end then: at most 32 calls for a key run at once, including those that go on although they
/// were cancelled. A further call waits until one of them ends, and its load times out if none does.
///
/// The function may block its thread: the calls of all sources run on threads of their own.
public struct Source<Value: Codable & Equatable & Sendable>: Sendable {
  let fetch: Fetch<NoFields, Value>

  /// Creates a source outside of the engine.
  ///
  /// - Parameters:
  ///   - name: The name of the source in the log.
  ///   - interval: The time after which a loaded value is loaded again, as long as the view model is in
  ///     use. The screen shows the new value without a loading state before it; a failure keeps the old
  ///     value. Without an interval, only commands load.
  ///   - load: Returns the value for the key of a view model.
  public init(
    _ name: Text, every interval: Duration? = nil,
    load: @escaping @Sendable (_ key: Text) async throws -> Value
  ) {
    fetch = Fetch(name, every: interval) { key, _ in try await load(key) }
  }

  /// Creates a source that reads a store. Screens show a write to the store at once, without a load: after each write,
  /// `value` is called for each view model in use, and for each with a state of its own. A source that reads the element
  /// of a ``NestedCollection`` whose id is the key is called only after a write to that element: see
  /// ``init(reading:value:)``.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - value: Returns the value for a key, or throws if there is none.
  public init<Stored: StoreValue>(
    reading store: Store<Stored>,
    value: @escaping @Sendable (Stored, _ key: Text) throws(LoadFailure) -> Value
  ) {
    fetch = Fetch(.whole(of: store)) { (_, key, _, stores) throws(LoadFailure) in
      try value(stores[store], key)
    }
  }
}

/// The source of the pages of a long list.
///
/// ```swift
/// PageSource(size: 20, reading: store) { data, key in data.activity[key] }
/// ```
public struct PageSource<Item: Pageable & Codable>: Sendable where Item.Position: Codable {
  let fetch: Fetch<PageRequest<Item.Position>, Page<Item>>
  /// Reads the whole list of a store, so that screens show a write at once.
  let list: (@Sendable (Stores, Text) -> KeyedSequence<Item>?)?

  /// Creates a source outside of the engine; see ``Source/init(_:every:load:)``.
  public init(
    _ name: Text,
    load: @escaping @Sendable (_ key: Text, PageRequest<Item.Position>) async throws -> Page<Item>
  ) {
    fetch = Fetch(name, every: nil, load: load)
    list = nil
  }

  /// Creates a source that reads the pages of a list in a store. Screens show a write to the store at once, without a
  /// load: after each write, `list` is called for each view model in use, and for each with a state of its own.
  ///
  /// - Parameters:
  ///   - size: The largest number of items of a page.
  ///   - store: The store.
  ///   - list: Returns the list for a key, in ascending order of ``Pageable/position``, or `nil` if there is none.
  ///     If the positions of the items of a page, and of the item after them, do not ascend, the load of the page
  ///     fails as `malformed`.
  /// - Precondition: `size` is at least 1.
  public init<Stored: StoreValue>(
    size: Int, reading store: Store<Stored>,
    list: @escaping @Sendable (Stored, _ key: Text) -> KeyedSequence<Item>?
  ) {
    self.init(size: size, .whole(of: store)) { list($0[store], $1) }
  }

  /// Creates a source that reads a part of a store.
  init(
    size: Int, _ part: StorePart,
    _ list: @escaping @Sendable (Stores, _ key: Text) -> KeyedSequence<Item>?
  ) {
    precondition(size >= 1, "a page without items has no end")
    fetch = Fetch(part) { (_, key, request, stores) throws(LoadFailure) in
      guard let list = list(stores, key) else { throw .missing }
      let page = Page(request, of: list, size: size)
      // Without this, the list would end too early, and nothing would say why.
      if !page.ascends(in: list) {
        throw .unreadable.because("the positions of the items do not ascend: see Pageable")
      }
      return page
    }
    self.list = list
  }
}

/// The work that answers a request of a part, and the value at its end.
struct Fetch<Request: Codable & Hashable & Sendable, Value: Codable & Sendable>: Sendable {
  /// The part of a store that is read; none for a source outside of the engine.
  let shownParts: [StorePart]
  let interval: Duration?
  let work: @Sendable (Text, Request, Stores) -> Work
  /// Returns the value at the end of a load: the one from outside, or the one that the store has now.
  let value: @Sendable (JSONValue?, Text, Request, Stores) throws(LoadFailure) -> Value

  init(
    _ name: Text, every interval: Duration?,
    load: @escaping @Sendable (Text, Request) async throws -> Value
  ) {
    let identity = SourceIdentity()
    self.interval = interval
    shownParts = []
    work = { key, request, _ in
      let asked = (try? JSONValue(encoding: request)) ?? .null
      return .running(
        OutsideLoad(identity: identity, name: name, key: key, request: asked) {
          try JSONValue(encoding: try await load(key, request))
        })
    }
    value = { (json, _, _, _) throws(LoadFailure) in
      do { return try (json ?? .null).decode(Value.self) } catch {
        throw .unreadable.because("\(error)")
      }
    }
  }

  init(
    _ store: StorePart,
    work: @escaping @Sendable (Text, Request, Stores) -> Work = { _, _, _ in
      .succeeding(after: .zero)
    },
    value: @escaping @Sendable (JSONValue?, Text, Request, Stores) throws(LoadFailure) -> Value
  ) {
    shownParts = [store]
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
