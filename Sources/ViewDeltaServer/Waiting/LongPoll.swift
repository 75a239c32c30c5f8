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
      let (waiters, index) = self.join(entry, for: SharedQuestion(question), until: tick)
      responder.onAbandonment { waiters.leave(index) }
    }
  }
}

extension Responder: Waiter {
  func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch) {
    respond(response, in: batch)
  }
}
