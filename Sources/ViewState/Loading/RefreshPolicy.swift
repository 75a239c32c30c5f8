/// What a screen shows of a source while it is loaded again, and after that failed.
public enum RefreshPolicy: String, CaseIterable, Codable, Sendable {
  /// The rows of the previous value stay, with a loading or an error row beside them.
  case keepPrevious = "keep-previous"
  /// Only the loading or the error row is shown.
  case blank
}

extension Loadable {
  /// The value that the policy lets a screen show: the loaded one, and under `keepPrevious` also
  /// the one that a running or failed refresh left behind.
  public func shown(under policy: RefreshPolicy) -> Value? {
    switch (policy, self) {
    case (_, .loaded(let value)): value
    case (.keepPrevious, _): value
    case (.blank, _): nil
    }
  }
}
