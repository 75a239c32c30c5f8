import ViewState

extension AccountStore {
  /// Checks that there is an account of this id.
  ///
  /// - Throws: `ScreenLookupError` where there is none, or none any more.
  func lookUp(_ id: ResourceID) throws(ScreenLookupError) {
    try base.lookUp(id)
  }

  /// Tells `subscriber` of every later write to the account, in the order of the writes.
  ///
  /// - Parameters:
  ///   - shown: the holder as the subscriber knows it; `nil` where it knows none.
  ///   - subscriber: is called under the store's lock: it may do no more than post.
  /// - Returns: `nil` where there is no such account, or the holder is not as it is shown.
  func subscribe(
    to id: ResourceID, showing shown: Schema.Holder? = nil,
    _ subscriber: @escaping @Sendable (AccountChange<Schema>) -> Wake?
  ) -> (any Cancellable)? {
    base.subscribe(
      to: id, where: { shown == nil || (try? $0.holder(id))?.resource == shown }, subscriber)
  }
}
