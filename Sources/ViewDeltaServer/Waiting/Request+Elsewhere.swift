import MicroHTTP

extension Request {
  /// A reply that is made on another thread than the one that serves the connection, because making it
  /// may take long and all connections of that thread would wait.
  ///
  /// - Parameter reply: Makes it; not a stream.
  func answeredElsewhere(
    _ reply: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    .later { responder in
      Task {
        do throws(ProblemDetails) {
          switch try reply() {
          case .now(let response), .standing(let response, _): responder.respond(response)
          case .later(let park): park(responder)
          // The request would be answered with 500.
          case .stream: return
          }
        } catch {
          responder.respond(error.response(instance: path))
        }
      }
    }
  }
}
