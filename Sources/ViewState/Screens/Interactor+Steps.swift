import Snapshots
import Synchronization

extension Interactor {
  /// Where stores and loads post to this screen.
  var inbox: Inbox<S.Action> {
    Inbox { [self] delivery in
      switch delivery {
      case .action(let action): mailbox.post(.action(action))
      case .removal: mailbox.post(.removal)
      }
      return Wake(run: { [self] in drain() }, settle: { [self] in await settle() })
    }
  }

  /// Runs a command after everything that came before it.
  ///
  /// - Throws: `CommandFailure`; nothing has changed then.
  public func send(
    _ command: Command, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome {
    let actions: [S.Action]
    do { actions = try screen.actions(for: command) } catch { throw .refused(error) }
    let result = await withCheckedContinuation { continuation in
      mailbox.post(
        .command(actions, expected: expected, reply: { continuation.resume(returning: $0) }))
      drain()
    }
    return try result.get()
  }

  private func drain() {
    mailbox.drain(handle)
  }

  private func settle() async {
    await withCheckedContinuation { continuation in
      mailbox.post(.barrier { continuation.resume() })
      drain()
    }
  }

  private func handle(_ message: Message) {
    switch message {
    case .barrier(let pass): pass()
    case .removal: if !isRemoved { remove() }
    case .action(let action): if !isRemoved { _ = step(action) }
    case .command(let actions, let expected, let reply):
      reply(run(actions, expecting: expected))
    }
  }

  private func run(
    _ actions: [S.Action], expecting expected: Set<RevisionToken>?
  ) -> Result<CommandOutcome, CommandFailure> {
    if isRemoved { return .failure(.removed) }
    let token = current.token
    if let expected, !expected.contains(token) { return .failure(.outdated(current: token)) }
    let results = actions.map(step)
    return .success(
      CommandOutcome(
        isAccepted: results.contains(where: \.isAccepted),
        isPending: results.contains(where: \.isPending), revision: current))
  }

  /// One reducer step: the state, then the published view, then the effects.
  private func step(_ action: S.Action) -> (isAccepted: Bool, isPending: Bool) {
    let before = core.withLock { ($0.state, $0.rows) }
    var (state, rows) = before
    let effects = screen.reduce(&state, action)
    if state != before.0 {
      do throws(SnapshotError) {
        let snapshot = try screen.assemble(state, rows: &rows)
        rows.endAssembly(of: snapshot)
        publish(snapshot, cause: screen.cause(of: action))
      } catch {
        // A view that cannot be laid out must not be half applied: the step is as if it had not
        // been, and somebody is told.
        environment.record(ScreenIncident(screen: name, kind: .assembly("\(error)")))
        return (false, false)
      }
      core.withLock { [state, rows] in
        $0.state = state
        $0.rows = rows
      }
    }
    effects.forEach(perform)
    let isPending = effects.contains(where: \.isStart)
    return (state != before.0 || isPending, isPending)
  }

  /// Appends a revision, unless clients would see no difference.
  private func publish(_ snapshot: Snapshot, cause: RevisionCause) {
    let previous = current
    guard snapshot != previous.snapshot else { return }
    let changes = snapshot.difference(from: previous.snapshot)
    let token = previous.token.next
    let document = changes.encoded(
      screen: name, from: previous.token.description, revision: token.description)
    publish(
      Revision(
        token: token, snapshot: snapshot, cause: cause,
        operationCount: changes.rows.operationCount + changes.sections.operationCount,
        diffByteCount: document.count, publishedAt: environment.scheduler.now,
        retainedByteCount: document.count + snapshot.byteCount(beside: previous.snapshot)
          + previous.snapshot.byteCount(beside: snapshot)),
      after: previous.token)
  }
}

extension Effect {
  fileprivate var isStart: Bool {
    guard case .start = self else { return false }
    return true
  }
}
