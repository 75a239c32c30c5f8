/// Why a client's revision cannot be diffed; the text is part of the contract.
enum ResetReason: String, Hashable, Sendable {
  /// It is of another run of the server, or of a key that was deleted and made anew.
  case epochChanged = "epoch-changed"
  /// It is of another screen or key.
  case otherScreen = "other-screen"
  /// It was one of this screen, and is no longer kept.
  case historyExpired = "history-expired"
  /// This screen has not reached it.
  case futureRevision = "future-revision"
}
