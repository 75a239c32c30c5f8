public import CanonicalJSON

extension Store {
  /// Returns how a load of a source for a parent goes, which a fault script can change, and removes the end of the
  /// load from the script.
  ///
  /// - Parameters:
  ///   - source: The name of the source.
  ///   - usual: The duration of a load without a script.
  ///   - key: The id of the parent.
  ///   - transaction: The input that starts the load.
  public func work<Child>(
    of source: Text, usually usual: Duration = .zero, for key: Text,
    in transaction: inout Transaction
  ) -> Work where Value == NestedCollection<Child> {
    let id = ResourceID(named: key)
    guard var script = (try? transaction[self].faultScript(of: source, for: id)) ?? nil else {
      return .succeeding(after: usual)
    }
    let work = script.next(usually: usual)
    _ = try? transaction.write(.setFaults(script, of: source, for: id), to: self)
    return work
  }
}

extension Source {
  /// Creates a source that reads what a nested collection has of a parent. A fault script can change its loads.
  ///
  /// - Parameters:
  ///   - name: The name of the source in causes, in the log and for fault scripts.
  ///   - store: The store.
  ///   - latency: The duration of a load without a script.
  ///   - value: Returns the value for the id of a parent; `nil` ends the load as ``LoadFailure/missing``.
  public init<Child>(
    _ name: Text, reading store: Store<NestedCollection<Child>>, usually latency: Duration = .zero,
    value: @escaping @Sendable (NestedCollection<Child>, ResourceID) throws(LoadFailure) -> Value?
  ) {
    self.init(
      name, reading: store,
      work: { store.work(of: name, usually: latency, for: $0, in: &$1) }
    ) { (data, key) throws(LoadFailure) in
      guard let value = try value(data, ResourceID(named: key)) else { throw .missing }
      return value
    }
  }
}
