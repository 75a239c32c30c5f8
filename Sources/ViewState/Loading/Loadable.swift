/// A value that is loaded from a source, in one of four states that cannot contradict each other.
///
/// ```swift
/// var posts = Loadable<[Post]>.notRequested
/// posts.value      // nil
/// posts.stateName  // "notRequested"
/// ```
///
/// `isLoading` and `failed` keep the value of an earlier load, which a ``RefreshPolicy`` shows or hides.
/// After A. Naumov, "Fighting state redundancy".
public enum Loadable<Value> {
  /// No load was started.
  case notRequested
  /// A load runs; `previous` is the value of an earlier load.
  case isLoading(previous: Value?)
  /// The last load ended with this value.
  case loaded(Value)
  /// The last load failed; `previous` is the value of an earlier load.
  case failed(LoadFailure, previous: Value?)
}

extension Loadable: Sendable where Value: Sendable {}
extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}

extension Loadable: Codable where Value: Codable {
  private enum CodingKeys: CodingKey { case notRequested, isLoading, loaded, failed }
  private enum LoadedCodingKeys: CodingKey { case _0 }
  private enum IsLoadingCodingKeys: CodingKey { case previous }
  private enum FailedCodingKeys: CodingKey { case _0, previous }

  /// Reads a value in the form that the synthesized `encode(to:)` writes. The synthesized initializer would read a
  /// previous value that is `nil` as no previous value.
  public init(from decoder: any Decoder) throws {
    func previous<Key: CodingKey>(
      _ container: KeyedDecodingContainer<Key>, _ key: Key
    ) throws -> Value? {
      try container.contains(key) ? container.decode(Value.self, forKey: key) : nil
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let keys = container.allKeys
    switch keys.count == 1 ? keys[0] : nil {
    case .notRequested: self = .notRequested
    case .isLoading:
      let members = try container.nestedContainer(
        keyedBy: IsLoadingCodingKeys.self, forKey: .isLoading)
      self = .isLoading(previous: try previous(members, .previous))
    case .loaded:
      let members = try container.nestedContainer(keyedBy: LoadedCodingKeys.self, forKey: .loaded)
      self = .loaded(try members.decode(Value.self, forKey: ._0))
    case .failed:
      let members = try container.nestedContainer(keyedBy: FailedCodingKeys.self, forKey: .failed)
      self = .failed(
        try members.decode(LoadFailure.self, forKey: ._0),
        previous: try previous(members, .previous))
    case nil:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "expected the state of a load"))
    }
  }
}

extension Loadable {
  /// The name of the state in the `states` of a view model.
  public var stateName: String {
    switch self {
    case .notRequested: "notRequested"
    case .isLoading: "isLoading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// The loaded value, or the one of an earlier load if the last one runs or has failed.
  public var value: Value? {
    switch self {
    case .notRequested: nil
    case .isLoading(let previous): previous
    case .loaded(let value): value
    case .failed(_, let previous): previous
    }
  }

  /// The failure of the last load; `nil` in every state but `failed`.
  public var error: LoadFailure? {
    guard case .failed(let failure, _) = self else { return nil }
    return failure
  }

  /// Whether a load runs.
  public var isLoading: Bool {
    guard case .isLoading = self else { return false }
    return true
  }

  /// Returns the same state with its value transformed.
  ///
  /// If `transform` throws, the result is `failed` with the error and without a previous value.
  public func map<NewValue>(
    _ transform: (Value) throws(LoadFailure) -> NewValue
  ) -> Loadable<NewValue> {
    do {
      switch self {
      case .notRequested: return .notRequested
      case .isLoading(let previous): return .isLoading(previous: try previous.map(transform))
      case .loaded(let value): return .loaded(try transform(value))
      case .failed(let failure, let previous):
        return .failed(failure, previous: try previous.map(transform))
      }
    } catch {
      return .failed(error, previous: nil)
    }
  }

  /// Returns the same state with the wrapped value.
  ///
  /// A loaded `nil` becomes `failed(.missing)` without a previous value, and a previous `nil` no previous value.
  public func unwrap<Wrapped>() -> Loadable<Wrapped> where Value == Wrapped? {
    switch self {
    case .notRequested: .notRequested
    case .isLoading(let previous): .isLoading(previous: previous ?? nil)
    case .loaded(let value?): .loaded(value)
    case .loaded(nil): .failed(.missing, previous: nil)
    case .failed(let failure, let previous): .failed(failure, previous: previous ?? nil)
    }
  }

  /// Returns the state after the running load is cancelled: `loaded` with the previous value, or
  /// `failed(.cancelled)` if there is none. Every other state stays as it is.
  public func cancelled() -> Loadable {
    switch self {
    case .isLoading(let previous?): .loaded(previous)
    case .isLoading(nil): .failed(.cancelled, previous: nil)
    case .notRequested, .loaded, .failed: self
    }
  }
}

/// The rows that a part shows while its source is loaded again, and after that load has failed.
public enum RefreshPolicy: String, CaseIterable, Codable, Sendable {
  /// Shows the rows of the previous value beside the loading or error row.
  case keepPrevious = "keep-previous"
  /// Shows the loading or error row alone.
  case blank
}

extension Loadable {
  /// Returns the value to show: the loaded one, and under `keepPrevious` also that of an earlier load.
  public func shown(under policy: RefreshPolicy) -> Value? {
    switch (policy, self) {
    case (_, .loaded(let value)): value
    case (.keepPrevious, _): value
    case (.blank, _): nil
    }
  }
}

extension RefreshPolicy: FieldValue {
  /// The names `keepPrevious` and `blank`.
  public static var valueType: ValueType<RefreshPolicy> {
    .choice(named: { $0 == .blank ? "blank" : "keepPrevious" })
  }
}
