/// A value that comes from a source: exactly four states in place of a handful of flags that can
/// contradict one another.
///
/// `isLoading` and `failed` remember the value that was there before, so that a screen may keep
/// showing it; whether it does is the `RefreshPolicy`'s business, not the state's.
/// After A. Naumov, "Fighting state redundancy".
public enum Loadable<Value> {
  /// Nobody has asked for the value yet.
  case notRequested
  /// A load is under way; `previous` is what an earlier one had brought.
  case isLoading(previous: Value?)
  /// The last load brought this value.
  case loaded(Value)
  /// The last load failed; `previous` is what an earlier one had brought.
  case failed(LoadFailure, previous: Value?)
}

extension Loadable: Sendable where Value: Sendable {}
extension Loadable: Equatable where Value: Equatable {}
extension Loadable: Hashable where Value: Hashable {}
extension Loadable: Codable where Value: Codable {}
