public import Snapshots
import Synchronization

/// Owns the state of one screen for one key: takes actions one at a time, reduces, assembles,
/// appends to the log and thereby publishes, and only then runs the effects.
///
/// Readers take the current revision from the log and wait for nobody: the lock around the log is
/// held for a look-up or an append, never while a reducer runs.
public final class Interactor<S: Screen>: ScreenInstance {
  public let name: String
  public let epoch: RevisionEpoch

  let screen: S
  let key: String
  let environment: ScreenEnvironment
  let mailbox = Mailbox<Message>()
  private let log: Mutex<RevisionLog>
  /// Touched by the reader of the mailbox alone; the lock shows the compiler what the mailbox
  /// guarantees, and is never contended.
  let core: Mutex<Core>
  private let onRemoval: @Sendable (RevisionEpoch) -> Void

  /// What only the reader of the mailbox touches.
  struct Core: Sendable {
    var state: S.State
    var rows: RowCache
    var loads: [S.Source: RunningLoad] = [:]
    var subscription: (any Cancellable)?
    var isRemoved = false
  }

  struct RunningLoad: Sendable {
    let token: LoadToken
    let work: any Cancellable
    let timeout: any Cancellable
  }

  enum Message: Sendable {
    case action(S.Action)
    case command(
      [S.Action], expected: Set<RevisionToken>?,
      reply: @Sendable (Result<CommandOutcome, CommandFailure>) -> Void)
    case removal
    case barrier(@Sendable () -> Void)
  }

  /// Starts a history for the key with the screen's initial state.
  ///
  /// - Parameter onRemoval: called once after what the key names was removed.
  /// - Returns: `nil` where the key is not present (any more).
  init?(
    screen: S, key: String, environment: ScreenEnvironment,
    onRemoval: @escaping @Sendable (RevisionEpoch) -> Void
  ) {
    self.screen = screen
    self.key = key
    self.environment = environment
    self.onRemoval = onRemoval
    name = "\(screen.descriptor.name)/\(key)"
    epoch = environment.makeEpoch()

    let state = screen.initialState(for: key)
    var rows = RowCache()
    guard let snapshot = try? screen.assemble(state, rows: &rows) else {
      preconditionFailure("the initial state of \(screen.descriptor.name) gives one id twice")
    }
    rows.endAssembly(of: snapshot)
    let first = Revision(
      token: RevisionToken(epoch: epoch, number: 0), snapshot: snapshot, cause: .start,
      operationCount: 0, diffByteCount: 0, publishedAt: environment.scheduler.now,
      retainedByteCount: 0)
    log = Mutex(RevisionLog(first: first, limits: environment.logLimits))
    core = Mutex(Core(state: state, rows: rows))

    guard let subscription = screen.subscribe(to: key, inbox: inbox) else { return nil }
    core.withLock { $0.subscription = subscription }
  }

  public var current: Revision { log.withLock { $0.current } }

  public var kept: [Revision] { log.withLock { $0.kept } }

  public func lookup(_ token: RevisionToken) -> RevisionLookup {
    log.withLock { $0.lookup(token) }
  }

  public func youngest(with digest: Digest) -> Revision? {
    log.withLock { $0.youngest(with: digest) }
  }

  /// Publishes: from here on every reader sees the revision.
  func publish(_ revision: Revision, after expected: RevisionToken) {
    let isAppended = log.withLock { $0.append(revision, after: expected) }
    precondition(isAppended, "a screen has one owner, and only it appends")
  }

  /// Whether what the key names is gone.
  var isRemoved: Bool { core.withLock { $0.isRemoved } }

  /// Lets everything go that the screen holds, once it can no longer be shown.
  func remove() {
    let (loads, subscription) = core.withLock { core in
      defer {
        core.isRemoved = true
        core.loads = [:]
        core.subscription = nil
      }
      return (core.loads, core.subscription)
    }
    for load in loads.values { load.cancel() }
    subscription?.cancel()
    onRemoval(epoch)
  }
}

extension Interactor.RunningLoad {
  func cancel() {
    timeout.cancel()
    work.cancel()
  }
}
