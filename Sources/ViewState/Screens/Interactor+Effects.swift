import Synchronization

extension Interactor {
  func perform(_ effect: Effect<S.Source>) {
    switch effect {
    case .start(let source, let token):
      start(source, token)
    case .end(let source, let token):
      let ended = core.withLock { core in
        core.loads[source]?.token == token ? core.loads.removeValue(forKey: source) : nil
      }
      ended?.cancel()
    case .record(let source, let refusal, let action, let state):
      environment.record(
        ScreenIncident(
          screen: name,
          kind: .transition(source: "\(source)", refusal, action: action, state: state)))
    }
  }

  /// Starts the load and its time-out together; whichever comes first ends the other.
  private func start(_ source: S.Source, _ token: LoadToken) {
    // The key may have gone in the turn that wanted this.
    if core.withLock({ $0.isRemoved }) { return }
    let inbox = inbox
    let timedOut = screen.action(forFailed: source, token, .timedOut)
    let timeout = environment.scheduler.schedule(after: environment.loadTimeout) {
      inbox.post(timedOut)()
    }
    let work = screen.start(source, token, for: key, into: inbox)
    core.withLock { $0.loads[source] = RunningLoad(token: token, work: work, timeout: timeout) }
  }
}
