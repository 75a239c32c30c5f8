import CanonicalJSON
import Snapshots
import Synchronization

extension Interactor {
  /// Where stores and loads post to this screen.
  var inbox: Inbox<S.Action> {
    Inbox(owner: owner) { [weak self] delivery, turn in
      // What was under way when the key went, or when nobody kept the screen, comes too late.
      guard let self, !core.withLock({ $0.isRemoved }) else { return }
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
        if let revision = revision(of: snapshot, after: head, cause: cause(of: action, core), core)
        {
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
    let isAccepted = state != core.state || isPending
    if isAccepted { touch() }
    turn.afterwards { [self] in effects.forEach(perform) }
    return StepOutcome(isAccepted: isAccepted, isPending: isPending)
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
    return .command(command.type)
  }

  /// The revision that shows a snapshot; `nil` where clients would see no difference.
  private func revision(
    of snapshot: Snapshot, after previous: Revision, cause: RevisionCause, _ core: Core
  ) -> Revision? {
    guard snapshot != previous.snapshot else { return nil }
    let changes = snapshot.difference(from: previous.snapshot)
    // The steps of one command may be put down to others, which do not have its arguments.
    let command = core.command.flatMap { cause == .command($0.type) ? $0 : nil }
    let arguments = command.flatMap { Revision.Arguments(of: $0) }
    return Revision(
      token: previous.token.next, snapshot: snapshot, cause: cause, arguments: arguments,
      date: environment.now(),
      operationCount: changes.rows.operationCount + changes.sections.operationCount,
      publishedAt: environment.scheduler.now,
      retainedByteCount: Revision.objectByteCount + (arguments?.byteCount ?? 0)
        + snapshot.byteCount(beside: previous.snapshot)
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
