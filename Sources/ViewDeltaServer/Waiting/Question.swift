import MicroHTTP

/// What a poll wants to know. It can be asked again until there is something to tell.
protocol Question: Sendable {
  /// The path of the request, for the problems of a poll that has waited.
  var instance: String { get }

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
