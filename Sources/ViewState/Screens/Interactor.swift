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
  private let publication: Mutex<Publication>
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
    publication = Mutex(
      Publication(log: RevisionLog(first: first, limits: environment.logLimits)))
    core = Mutex(Core(state: state, rows: rows))

    guard let subscription = screen.subscribe(to: key, inbox: inbox) else { return nil }
    core.withLock { $0.subscription = subscription }
  }

  public var current: Revision { publication.withLock { $0.log.current } }

  public var kept: [Revision] { publication.withLock { $0.log.kept } }

  public func lookup(_ token: RevisionToken) -> RevisionLookup {
    publication.withLock { $0.log.lookup(token) }
  }

  public func youngest(with digest: Digest) -> Revision? {
    publication.withLock { $0.log.youngest(with: digest) }
  }

  public func watch(
    after token: RevisionToken, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)? {
    publication.withLock { $0.watch(after: token, watcher) }
      .map { Watch(interactor: self, place: $0) }
  }

  private struct Watch: Cancellable {
    let interactor: Interactor
    let place: Int

    func cancel() {
      interactor.publication.withLock { $0.unwatch(place) }
    }
  }

  /// Publishes: from here on every reader sees the revision. Then wakes who waited for it.
  func publish(_ revision: Revision, after expected: RevisionToken) {
    guard let watchers = publication.withLock({ $0.append(revision, after: expected) }) else {
      preconditionFailure("a screen has one owner, and only it appends")
    }
    for watcher in watchers { watcher.revisionPublished() }
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
    // First out of reach, then the news: whoever is woken and looks again finds nothing any more.
    onRemoval(epoch)
    for watcher in publication.withLock({ $0.end() }) { watcher.revisionPublished() }
  }
}

extension Interactor.RunningLoad {
  func cancel() {
    timeout.cancel()
    work.cancel()
  }
}
