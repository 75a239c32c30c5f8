import MicroHTTP

extension Request {
  /// Makes a reply on another thread than the one that serves the connection, for work that takes long:
  /// all connections of that thread would wait.
  ///
  /// - Parameter reply: Makes the reply, which must not be a stream.
  func replyInTask(
    _ reply: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    .later { responder in
      Task { responder.respond(to: self, reply) }
    }
  }
}

extension Responder {
  /// Answers a parked request with a reply that is made now.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reply: Makes the reply, which must not be a stream.
  func respond(to request: Request, _ reply: () throws(ProblemDetails) -> Reply) {
    do throws(ProblemDetails) {
      switch try reply() {
      case .now(let response), .standing(let response, _): respond(response)
      case .later(let park): park(self)
      // Without a response the client gets a 500.
      case .stream: return
      }
    } catch {
      respond(error.response(instance: request.path))
    }
  }
}
