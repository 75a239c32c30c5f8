import Snapshots
import Synchronization

extension Interactor {
  /// Where stores and loads post to this screen.
  var inbox: Inbox<S.Action> {
    Inbox(owner: owner) { [self] delivery, turn in
      // What was under way when the key went comes too late.
      if core.withLock({ $0.isRemoved }) { return }
      switch delivery {
      case .action(let action): _ = step(action, in: turn)
      case .removal: remove(in: turn)
      }
    }
  }

  /// One reducer step: the state, then the view to be published, then the effects.
  func step(_ action: S.Action, in turn: Turn) -> StepOutcome {
    let core = core.withLock { $0 }
    var (state, rows, head) = (core.state, core.rows, core.head)
    let effects = screen.reduce(&state, action)
    if state != core.state {
      do throws(SnapshotError) {
        let snapshot = try screen.assemble(state, rows: &rows)
        rows.endAssembly(of: snapshot)
        if let revision = revision(of: snapshot, after: head, cause: cause(of: action, core)) {
          publish(revision, after: head.token, in: turn)
          head = revision
        }
      } catch {
        // A view that cannot be laid out must not be half applied: the step is as if it had not
        // been, and somebody is told.
        environment.record(ScreenIncident(screen: name, kind: .assembly("\(error)")))
        return StepOutcome()
      }
      self.core.withLock { [state, rows, head] in
        $0.state = state
        $0.rows = rows
        $0.head = head
      }
    }
    if state != core.state { recordFailure(action) }
    let isPending = effects.contains(where: \.isStart)
    turn.afterwards { [self] in effects.forEach(perform) }
    return StepOutcome(isAccepted: state != core.state || isPending, isPending: isPending)
  }

  /// Tells of a load that has failed; one that was called off is no news.
  private func recordFailure(_ action: S.Action) {
    guard case .failed(let source, let code) = screen.cause(of: action),
      code != LoadFailure.cancelled.code
    else { return }
    environment.record(
      ScreenIncident(screen: name, kind: .loadFailure(source: source, code: code)))
  }

  /// News that a command makes in its own screen are put down to the command.
  private func cause(of action: S.Action, _ core: Core) -> RevisionCause {
    let cause = screen.cause(of: action)
    guard case .storeWrite = cause, let command = core.command else { return cause }
    return .command(command)
  }

  /// The revision that shows a snapshot; `nil` where clients would see no difference.
  private func revision(
    of snapshot: Snapshot, after previous: Revision, cause: RevisionCause
  ) -> Revision? {
    guard snapshot != previous.snapshot else { return nil }
    let changes = snapshot.difference(from: previous.snapshot)
    let token = previous.token.next
    let document = changes.encoded(
      screen: name, from: previous.token.description, revision: token.description)
    return Revision(
      token: token, snapshot: snapshot, cause: cause,
      operationCount: changes.rows.operationCount + changes.sections.operationCount,
      diffByteCount: document.count, publishedAt: environment.scheduler.now,
      retainedByteCount: document.count + snapshot.byteCount(beside: previous.snapshot)
        + previous.snapshot.byteCount(beside: snapshot))
  }
}

/// What a step did, as far as the sender of a command wants to know.
struct StepOutcome: Sendable {
  /// Whether it changed the state or started something.
  var isAccepted = false
  /// Whether it started something.
  var isPending = false
}

extension Effect {
  fileprivate var isStart: Bool {
    guard case .start = self else { return false }
    return true
  }
}
