import ViewState

/// A view model and the last revision of it that was looked at.
struct Watched: Sendable {
  private let screen: any ScreenInstance
  private let token: RevisionToken

  init(_ screen: any ScreenInstance, after revision: Revision) {
    self.screen = screen
    token = revision.token
  }

  /// Has the watcher told once of the next revision.
  ///
  /// - Returns: takes the order back; `nil` where there is one already.
  func order(for watcher: any RevisionWatcher) -> (any Cancellable)? {
    screen.watch(after: token, watcher)
  }

  /// Has the watcher told of the next revision of any of them.
  ///
  /// - Returns: takes the orders back; `nil`, with none left, where one has changed already.
  static func order(
    _ watched: [Watched], for watcher: any RevisionWatcher
  ) -> [any Cancellable]? {
    var orders: [any Cancellable] = []
    orders.reserveCapacity(watched.count)
    for one in watched {
      guard let order = one.order(for: watcher) else {
        for order in orders { order.cancel() }
        return nil
      }
      orders.append(order)
    }
    return orders
  }
}
