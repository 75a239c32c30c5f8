extension Loadable {
  /// The name of the state, as it stands in a view model's `states`.
  public var stateName: String {
    switch self {
    case .notRequested: "notRequested"
    case .isLoading: "isLoading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// The value that there is to show: the loaded one, else the one that a running or failed
  /// refresh left behind, else `nil`.
  public var value: Value? {
    switch self {
    case .notRequested: nil
    case .isLoading(let previous): previous
    case .loaded(let value): value
    case .failed(_, let previous): previous
    }
  }

  /// Why the last load failed; `nil` in every state but `failed`.
  public var error: LoadFailure? {
    guard case .failed(let failure, _) = self else { return nil }
    return failure
  }

  /// Whether a load is under way.
  public var isLoading: Bool {
    guard case .isLoading = self else { return false }
    return true
  }

  /// The same state over another value.
  ///
  /// A `transform` that throws turns the state into `failed` with what it threw: no value of the
  /// new kind can be shown, be it a current or a previous one.
  public func map<NewValue>(
    _ transform: (Value) throws(LoadFailure) -> NewValue
  ) -> Loadable<NewValue> {
    do {
      switch self {
      case .notRequested: return .notRequested
      case .isLoading(let previous): return .isLoading(previous: try previous.mapped(transform))
      case .loaded(let value): return .loaded(try transform(value))
      case .failed(let failure, let previous):
        return .failed(failure, previous: try previous.mapped(transform))
      }
    } catch {
      return .failed(error, previous: nil)
    }
  }

  /// The state over the value inside the optional one: a loaded `nil` becomes
  /// `failed(.missing)`, and a previous `nil` counts as no previous value.
  public func unwrap<Wrapped>() -> Loadable<Wrapped> where Value == Wrapped? {
    switch self {
    case .notRequested: .notRequested
    case .isLoading(let previous): .isLoading(previous: previous ?? nil)
    case .loaded(let value?): .loaded(value)
    case .loaded(nil): .failed(.missing, previous: nil)
    case .failed(let failure, let previous): .failed(failure, previous: previous ?? nil)
    }
  }

  /// The state after the running load was called off: back to the value there was before, or
  /// `failed(.cancelled)` where there was none. Every other state stays as it is.
  public func cancelled() -> Loadable {
    switch self {
    case .isLoading(let previous?): .loaded(previous)
    case .isLoading(nil): .failed(.cancelled, previous: nil)
    case .notRequested, .loaded, .failed: self
    }
  }
}

extension Optional {
  /// `map` with a typed error, which the standard library's cannot pass through a nested closure
  /// without losing its type.
  fileprivate func mapped<Result>(
    _ transform: (Wrapped) throws(LoadFailure) -> Result
  ) throws(LoadFailure) -> Result? {
    guard let self else { return nil }
    return try transform(self)
  }
}
