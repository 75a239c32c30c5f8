/// The state and the token of an instance, from which it can be made again.
struct KeptState<State: Sendable>: Sendable {
  let state: State
  var token: RevisionToken
  /// The number of the first token under which the view model was shown without a break.
  let shownSince: Int
  let cause: RevisionCause
  let hadArguments: Bool
  let date: Timestamp
  var measuredByteCount: Int
  var broughtByteCount: Int
  var share: Int
  /// The number of looks in a row that have found its session unused; `nil` without a session.
  var unusedCount: Int?

  /// Returns the same with the state in another form.
  func with<Other>(_ state: Other) -> KeptState<Other> {
    KeptState<Other>(
      state: state, token: token, shownSince: shownSince, cause: cause, hadArguments: hadArguments,
      date: date, measuredByteCount: measuredByteCount, broughtByteCount: broughtByteCount,
      share: share, unusedCount: unusedCount)
  }
}

extension KeptState: Codable where State: Codable {}

/// An instance that is not in use.
typealias Rest = KeptState<AnyState>
