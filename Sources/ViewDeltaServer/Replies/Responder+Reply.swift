import MicroHTTP

extension Responder {
  /// Answers a parked request with a reply that is made now, unless its client has left.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - reply: Makes the reply, which must not be a stream.
  func respond(to request: Request, _ reply: () throws(ProblemDetails) -> Reply) {
    guard isWaiting else { return }
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
