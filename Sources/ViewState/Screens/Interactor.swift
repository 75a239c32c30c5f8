public import CanonicalJSON
import Snapshots
import Synchronization

/// Owns the state of one screen for one key: in each turn of its `SerialOwner` it takes actions one
/// at a time, reduces and assembles; at the end of the turn the log takes the revisions, which
/// publishes them, and only then the effects run.
///
/// Readers take the current revision from the log and wait for nobody: the lock around the log is
/// held for a look-up or an append, never while a reducer runs.
public final class Interactor<S: Screen>: KeptScreen {
  public let name: Text
  public let epoch: RevisionEpoch

  let screen: S
  let key: Text
  let environment: ScreenEnvironment
  /// The descriptor's commands, which say what is refused before the screen is asked.
  let commands: [CommandDescriptor]
  public let owner: SerialOwner
  private let publication: Mutex<Publication>
  /// Touched by the owner alone; the lock shows the compiler what the owner guarantees, and is never
  /// contended.
  let core: Mutex<Core>
  private weak let host: ScreenHost<S>?
  private let touched = Atomic<Bool>(false)

  /// What only the owner touches.
  struct Core: Sendable {
    var state: S.State
    var rows: RowCache
    /// The last revision, be it published already or at the end of the turn.
    var head: Revision
    /// The command that is being run.
    var command: Command?
    var loads: [S.Source: RunningLoad] = [:]
    var subscription: (any Cancellable)?
    var isRemoved = false
  }

  struct RunningLoad: Sendable {
    let token: LoadToken
    let work: any Cancellable
    let timeout: any Cancellable
  }

  /// Starts a history for the key with the screen's initial state.
  ///
  /// - Parameter epoch: the epoch of an instance of this name that starts with this snapshot.
  /// - Returns: `nil` where the state is not the initial one any more.
  init?(
    screen: S, key: Text, state: S.State, environment: ScreenEnvironment, host: ScreenHost<S>,
    epoch: (_ name: Text, Snapshot) -> RevisionEpoch
  ) {
    self.screen = screen
    self.key = key
    self.environment = environment
    self.host = host
    let descriptor = screen.descriptor
    name = "\(descriptor.name)/\(key)"
    commands = descriptor.commands
    owner = screen.owner(of: key)

    var rows = RowCache()
    guard let snapshot = try? screen.assemble(state, rows: &rows) else {
      preconditionFailure("the initial state of \(screen.descriptor.name) gives one id twice")
    }
    rows.endAssembly(of: snapshot)
    self.epoch = epoch(name, snapshot)
    let first = Revision(
      token: RevisionToken(epoch: self.epoch, number: 0), snapshot: snapshot, cause: .start,
      date: environment.now(), operationCount: 0, publishedAt: environment.scheduler.now,
      retainedByteCount: 0)
    publication = Mutex(
      Publication(log: RevisionLog(first: first, limits: environment.logLimits)))
    core = Mutex(Core(state: state, rows: rows, head: first))

    guard let subscription = screen.subscribe(to: key, showing: state, inbox: inbox) else {
      return nil
    }
    // News may have come already, the last of them perhaps.
    let isRemoved = core.withLock { core in
      if !core.isRemoved { core.subscription = subscription }
      return core.isRemoved
    }
    if isRemoved { subscription.cancel() }
  }

  deinit {
    // Nobody is left to call this off, or to hear of the result.
    let (loads, subscription) = core.withLock { ($0.loads, $0.subscription) }
    for load in loads.values { load.cancel() }
    subscription?.cancel()
    host?.released(ObjectIdentifier(self), of: key)
    environment.freed(byteCount)
  }

  public var current: Revision { publication.withLock { $0.log.current } }

  public var isEnded: Bool { publication.withLock { $0.isEnded } }

  public func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    publication.withLock { $0.log.kept(before: end, limit: limit) }
  }

  public func lookup(_ token: RevisionToken) -> RevisionLookup {
    publication.withLock { $0.log.lookup(token) }
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

  /// Has the revision seen by every reader from the end of the turn on.
  func publish(_ revision: Revision, after expected: RevisionToken, in turn: Turn) {
    turn.publish { [self] in
      guard let watchers = publication.withLock({ $0.append(revision, after: expected) }) else {
        preconditionFailure("a screen has one owner, and only it appends")
      }
      return watchers
    }
    turn.afterwards { [self] in host?.published(self) }
  }

  /// Whether an input has changed the state or started something, so that the instance cannot be made
  /// anew as it is.
  var isTouched: Bool { touched.load(ordering: .acquiring) }

  /// Notes the first input; called in the turn that takes it.
  func touch() {
    if !touched.exchange(true, ordering: .acquiringAndReleasing) { host?.touched(self) }
  }

  var historyByteCount: Int { publication.withLock { $0.log.byteCount } }

  var byteCount: Int { Self.overhead + current.snapshot.byteCount + historyByteCount }

  /// What an instance takes beside its revisions and the content of the current one, in bytes, as
  /// measured.
  private static var overhead: Int { 4096 }

  func cutHistory(to byteCount: Int) {
    let before = historyByteCount
    // Let go when the lock is free: readers must not wait for it.
    let dropped = publication.withLock { $0.cutLog(to: byteCount) }
    if !dropped.isEmpty { environment.freed(before - historyByteCount) }
  }

  /// Lets everything go that the screen holds, since it can no longer be shown.
  func remove(in turn: Turn) {
    let (loads, subscription) = core.withLock { core in
      defer {
        core.isRemoved = true
        core.loads = [:]
        core.subscription = nil
      }
      return (core.loads, core.subscription)
    }
    // First out of reach, then the news: whoever is woken and looks again finds nothing any more.
    turn.publish { [self] in publication.withLock { $0.end() } }
    turn.remove { [self] in
      for load in loads.values { load.cancel() }
      subscription?.cancel()
      host?.ended(self)
    }
  }
}

extension Interactor.RunningLoad {
  func cancel() {
    timeout.cancel()
    work.cancel()
  }
}
