import MicroHTTP

extension WaitingRoom {
  /// Answers a request as soon as something has changed, its time is over or the server shuts down, and
  /// forgets it if the client disconnects. Answers at once if something has changed or `time` is zero.
  ///
  /// - Throws: The errors of the question, and the problems of a room that is full or closed.
  func reply(
    to question: some Question, of request: Request, waiting time: Duration
  ) throws(ProblemDetails) -> Reply {
    let answer = try question.ask()
    guard case .unchanged = answer, time > .zero else { return .now(answer.response) }
    let tick = tick(at: now + time)
    let address = request.remoteAddress
    try takePlace(from: address)
    return .later { responder in
      let entry = Waiters.Entry(waiter: responder, address: address)
      let (waiters, index) = self.join(entry, for: question, until: tick)
      responder.onAbandonment { waiters.leave(index) }
    }
  }
}

extension Responder: Waiter {
  func wake(_ response: Response, isNews: Bool) { respond(response) }
}

extension Request {
  /// Makes a reply on another thread than the one that serves the connection, for work that takes long:
  /// all connections of that thread would wait.
  ///
  /// - Parameter reply: Makes the reply, which must not be a stream.
  func replyInTask(
    _ reply: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    .later { responder in
      Task {
        do throws(ProblemDetails) {
          switch try reply() {
          case .now(let response), .standing(let response, _): responder.respond(response)
          case .later(let park): park(responder)
          // Without a response the client gets a 500.
          case .stream: return
          }
        } catch {
          responder.respond(error.response(instance: path))
        }
      }
    }
  }
}
