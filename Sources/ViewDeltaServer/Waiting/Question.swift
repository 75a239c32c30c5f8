import MicroHTTP
import ViewState

/// What a poll wants to know. It can be asked again until there is something to tell.
protocol Question: Sendable {
  /// The answer as of now.
  ///
  /// - Throws: a problem that ends the poll.
  func ask() throws(ProblemDetails) -> Finding
}

/// The answer to a ``Question``.
enum Finding: Sendable {
  /// There is something to tell.
  case news(Response)
  /// There is nothing to tell, and this is how to say so. It is worth asking again when one of
  /// these has changed.
  case nothing(Response, watching: [Watched])

  var response: Response {
    switch self {
    case .news(let response), .nothing(let response, _): response
    }
  }
}

/// A view model and the last revision of it that was looked at.
struct Watched: Sendable {
  let screen: any ScreenInstance
  let token: RevisionToken

  init(_ screen: any ScreenInstance, after revision: Revision) {
    self.screen = screen
    token = revision.token
  }
}

/// Orders to be woken, which are taken back together.
struct WatchOrders: Sendable {
  private var orders: [any Cancellable] = []

  /// Places an order for each.
  ///
  /// - Returns: whether all wait now; where one has changed already, none is left.
  mutating func place(_ watched: [Watched], _ wake: @escaping @Sendable () -> Void) -> Bool {
    for one in watched {
      guard let order = one.screen.watch(after: one.token, wake) else {
        cancel()
        return false
      }
      orders.append(order)
    }
    return true
  }

  /// Takes back all that were placed.
  mutating func cancel() {
    for order in orders { order.cancel() }
    orders = []
  }
}
