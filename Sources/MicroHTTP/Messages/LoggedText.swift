extension String {
  /// The text up to its first `@`, also if that is escaped once or more, with `…` in place of what follows.
  ///
  /// The name of a view model has the session of a user there, which is as good as a password and must not be in a log.
  var withoutSession: String {
    guard let at = firstRange(of: /@|%(25)*40/) else { return self }
    return self[..<at.lowerBound] + "@…"
  }
}
