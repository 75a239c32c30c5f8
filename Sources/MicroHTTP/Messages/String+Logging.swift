extension String {
  /// The text up to its first `@`, also if that is escaped once or more, with `…` in place of what follows.
  ///
  /// The name of a view model has the session of a user there, which is as good as a password and must not be in a log.
  ///
  /// It is not inlined, because a function with a regular expression sets up the type of it at each call.
  @inline(never)
  var withoutSession: String {
    guard let at = firstRange(of: /@|%(25)*40/) else { return self }
    return self[..<at.lowerBound] + "@…"
  }
}
