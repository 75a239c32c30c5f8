import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Sends the changes of one view model as Server-Sent Events (HTML Living Standard, section 9.2), each with
/// its revision as `id` and the document of a poll as `data`. The first block also comes if nothing has
/// changed, so that the client sees that it is connected, and at which revision.
///
/// The stream remembers only the last revision that it has sent. It makes a piece when the client has taken
/// the one before, so a client that reads slowly gets all changes in between as one diff.
final class EventStream: StreamSource, RevisionWatcher, WaitingRoom.Waiter {
  /// The time after which an idle stream sends a comment: proxies close connections without traffic, often
  /// after half a minute.
  static let heartbeat = Duration.seconds(15)

  /// A line that clients ignore.
  private static let comment = Response(status: .ok, body: Array(":\n\n".utf8))

  private struct State: Sendable {
    var screen: any ScreenInstance
    var held: HeldRevision
    var signal: StreamSignal?
    var seat: WaitingRoom.Seat?
    var subscription: (any Cancellable)?
    /// Whether the first block was sent.
    var isOpened = false
    /// The change that the first block brings if another thread looks for it.
    var opening: Opening?
    var isHeartbeatDue = false
    var isEndDue = false
  }

  /// The search for the change from what a client holds, if it takes long.
  private enum Opening: Sendable {
    case searched(in: any ScreenInstance)
    case found(Change, of: any ScreenInstance)
  }

  private let path: ScreenPath
  private let models: ViewModels
  private let scheduler: any Scheduler
  private let mustBeDiff: Bool
  private let endsAt: Duration
  private let state: Mutex<State>

  /// Creates a stream of the changes since the revision that a client holds.
  ///
  /// - Parameters:
  ///   - screen: The screen that the path leads to now.
  ///   - path: The path of the view model.
  ///   - held: The revision that the client holds.
  ///   - mustBeDiff: Whether a diff is sent even if the snapshot is smaller.
  ///   - lifetime: The time until the stream ends.
  init(
    of screen: any ScreenInstance, at path: ScreenPath, since held: HeldRevision, mustBeDiff: Bool,
    for lifetime: Duration, models: ViewModels, scheduler: any Scheduler
  ) {
    self.path = path
    self.mustBeDiff = mustBeDiff
    self.models = models
    self.scheduler = scheduler
    endsAt = scheduler.now + lifetime
    state = Mutex(State(screen: screen, held: held))
  }

  /// Takes a place in the room that calls the stream for its comments and its end.
  ///
  /// - Throws: The problems of a room that is full or closed.
  func takeSeat(in room: WaitingRoom, from address: String) throws(ProblemDetails) {
    let seat = try room.admit(self, from: address, for: pause)
    state.withLock { $0.seat = seat }
  }

  /// Sets the signal with which the stream asks for its next step.
  func attach(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func next() -> StreamStep {
    let step = step()
    if case .send = step { state.withLock { $0.seat }?.renew(for: pause) }
    return step
  }

  func ended() {
    let (seat, subscription) = state.withLock { state in
      defer {
        state.signal = nil
        state.subscription = nil
      }
      return (state.seat, state.subscription)
    }
    seat?.leave()
    subscription?.cancel()
  }

  /// The time until the next comment, or the end, of an idle stream.
  private var pause: Duration { min(Self.heartbeat, endsAt - scheduler.now) }

  func revisionPublished() {
    state.withLock { $0.signal }?.raise()
  }

  func called(_ call: WaitingRoom.Call) {
    // The call may come a little early. The stream ends then, too: after a comment the next call would come
    // at once, over and over until the time is there.
    let isEndDue = call == .drain || scheduler.now + WaitingRoom.earliness > endsAt
    let signal = state.withLock { state in
      if isEndDue { state.isEndDue = true } else { state.isHeartbeatDue = true }
      return state.signal
    }
    signal?.raise()
  }

  private func step() -> StreamStep {
    let (isFirst, isEndDue, subscription) = state.withLock { state in
      defer { state.subscription = nil }
      return (!state.isOpened, state.isEndDue, state.subscription)
    }
    subscription?.cancel()
    if isEndDue { return .end }
    while true {
      let (known, held) = state.withLock { ($0.screen, $0.held) }
      // If there is none any more, the client learns the reason when it connects anew.
      guard let screen = try? models.screen(at: path, lastFound: known) else { return .end }
      if isFirst {
        guard let change = opening(since: held, of: screen) else { return .wait }
        return send(change, of: screen, as: .firstEvent)
      }
      let change = held.change(of: screen, models.registry)
      guard case .nothing(let revision) = change else {
        return send(change, of: screen, as: .eventStream)
      }
      if takeHeartbeat() { return .send(Self.comment) }
      if let subscription = Watched(screen, after: revision).subscribe(self) {
        state.withLock { $0.subscription = subscription }
        return .wait
      }
    }
  }

  /// Returns the change that the first block brings. If finding it takes long, another thread does, which
  /// raises the signal then: all connections of this thread would wait.
  ///
  /// - Returns: `nil` as long as it is not found.
  private func opening(since held: HeldRevision, of screen: any ScreenInstance) -> Change? {
    switch state.withLock({ $0.opening }) {
    case .found(let change, let known) where known === screen: return change
    case .searched(let known) where known === screen: return nil
    default: break
    }
    guard held.needsManyHashes(of: screen, models.registry) else {
      return held.change(of: screen, models.registry)
    }
    state.withLock { $0.opening = .searched(in: screen) }
    Task { [self] in
      let change = held.change(of: screen, models.registry)
      let signal = state.withLock { state in
        state.opening = .found(change, of: screen)
        return state.signal
      }
      signal?.raise()
    }
    return nil
  }

  private func send(
    _ change: Change, of screen: any ScreenInstance, as format: DocumentFormat
  ) -> StreamStep {
    let reached = Text(change.revision.token.description)
    state.withLock { state in
      state.isOpened = true
      state.opening = nil
      state.screen = screen
      state.held = HeldRevision(since: reached)
      state.isHeartbeatDue = false
    }
    let representation = Representation(format: format, coding: .identity)
    return .send(
      models.replies.reply(change, as: representation, mustBeDiff: mustBeDiff))
  }

  private func takeHeartbeat() -> Bool {
    state.withLock { state in
      defer { state.isHeartbeatDue = false }
      return state.isHeartbeatDue
    }
  }
}
