import CanonicalJSON
public import Snapshots

extension Source {
  /// Creates a source that reads the value for a parent from a nested collection. Screens show a write to the parent or
  /// to its children at once.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - value: Returns the value for the id of a parent; `nil` ends the load as ``LoadFailure/missing``.
  public init<Child>(
    reading store: Store<NestedCollection<Child>>,
    value: @escaping @Sendable (NestedCollection<Child>, ResourceID) throws -> Value?
  ) {
    fetch = Fetch(.element(of: store)) { _, key, _, stores in
      guard let value = try value(stores[store], ResourceID(named: key)) else {
        throw LoadFailure.missing
      }
      return value
    }
  }

  /// Creates a source that joins the data of a parent in a nested collection with the result of a call outside of the
  /// engine.
  ///
  /// ```swift
  /// Source(
  ///   reading: store, asking: { data, owner in data.view(of: owner)?.addresses },
  ///   load: { addresses in try await pages(at: addresses) }
  /// ) { data, owner, pages in data.view(of: owner)?.notes(with: pages ?? [:]) }
  /// ```
  ///
  /// The request of the call is made when the load starts. When the load ends, `value` gets the collection as it is
  /// then, which may have changed since the request was made. After a write to the collection, `value` is called without
  /// a result, and no call is made; if `value` throws then, the loaded value stays.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - request: Returns the request of the call; `nil` if no call is needed.
  ///   - load: Makes the call.
  ///   - value: Returns the value for the id of a parent; `nil` ends the load as ``LoadFailure/missing``. It gets
  ///     the result of the call, or `nil` if there was no call.
  public init<Child, Request: Codable & Hashable & Sendable, Brought: Codable & Sendable>(
    reading store: Store<NestedCollection<Child>>,
    asking request: @escaping @Sendable (NestedCollection<Child>, ResourceID) -> Request?,
    load: @escaping @Sendable (Request) async throws -> Brought,
    value: @escaping @Sendable (NestedCollection<Child>, ResourceID, Brought?) throws -> Value?
  ) {
    let identity = SourceIdentity()
    fetch = Fetch(
      .element(of: store),
      work: { key, _, stores in
        guard let request = request(stores[store], ResourceID(named: key)),
          let asked = try? JSONValue(encoding: request)
        else { return .succeeding(after: .zero) }
        return .running(
          OutsideLoad(identity: identity, key: key, request: asked) {
            try JSONValue(encoding: try await load(request))
          })
      },
      value: { json, key, _, stores in
        let brought = json.map { try? $0.decode(Brought.self) }
        if case .some(nil) = brought { throw LoadFailure.unreadable }
        let parent = ResourceID(named: key)
        guard let value = try value(stores[store], parent, brought ?? nil) else {
          throw LoadFailure.missing
        }
        return value
      })
  }
}

extension PageSource {
  /// Creates a source that reads the pages of a list for a parent from a nested collection. Screens show a write to the
  /// parent or to its children at once.
  ///
  /// - Parameters:
  ///   - size: The largest number of items of a page.
  ///   - store: The store.
  ///   - list: Returns the list for the id of a parent, in ascending order of ``Pageable/position``, or `nil` if there is
  ///     none. If the positions of the items of a page, and of the item after them, do not ascend, the load of
  ///     the page fails as `malformed`.
  /// - Precondition: `size` is at least 1.
  public init<Child>(
    size: Int, reading store: Store<NestedCollection<Child>>,
    list: @escaping @Sendable (NestedCollection<Child>, ResourceID) -> KeyedSequence<Item>?
  ) {
    self.init(size: size, .element(of: store)) { list($0[store], ResourceID(named: $1)) }
  }
}
