import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// The changes of one view model as Server-Sent Events (HTML Living Standard, section 9.2), each
/// with its revision as `id` and the document of a poll as `data`. The first block also comes if there
/// is nothing to tell, to show the client that it is connected, and where it is.
///
/// What is remembered of a client is the last revision that it was sent. It is asked for the next
/// piece only when the client has taken the one before, so a client that reads slowly gets what
/// happened meanwhile as one diff.
final class EventStream: StreamSource, RevisionWatcher, WaitingRoom.Waiter {
  /// How long a stream is silent before a comment shows that it is alive: proxies cut connections
  /// without traffic, often after half a minute.
  static let heartbeat = Duration.seconds(15)

  /// A line that clients pass over.
  private static let comment = Response(status: .ok, body: Array(":\n\n".utf8))

  private struct State: Sendable {
    var standpoint: Standpoint
    var signal: StreamSignal?
    var seat: WaitingRoom.Seat?
    var order: (any Cancellable)?
    var isOpened = false
    var isHeartbeatDue = false
    var isEndDue = false
  }

  private let path: ScreenPath
  private let models: ViewModels
  private let scheduler: any Scheduler
  private let endsAt: Duration
  private let state: Mutex<State>

  /// A stream of what comes after the standpoint, for so long.
  init(
    of path: ScreenPath, after standpoint: Standpoint, for lifetime: Duration,
    models: ViewModels, scheduler: any Scheduler
  ) {
    self.path = path
    self.models = models
    self.scheduler = scheduler
    endsAt = scheduler.now + lifetime
    state = Mutex(State(standpoint: standpoint))
  }

  /// Takes a seat, from where the stream is called for its comments and its end.
  ///
  /// - Throws: the problems of a room that is full or closed.
  func sit(in room: WaitingRoom, from address: String) throws(ProblemDetails) {
    let seat = try room.admit(self, from: address, for: pause)
    state.withLock { $0.seat = seat }
  }

  /// Tells the stream how to be asked.
  func attach(_ signal: StreamSignal) {
    state.withLock { $0.signal = signal }
  }

  func next() -> StreamStep {
    let step = step()
    if case .send = step { state.withLock { $0.seat }?.renew(for: pause) }
    return step
  }

  func ended() {
    let (seat, order) = state.withLock { state in
      defer {
        state.signal = nil
        state.order = nil
      }
      return (state.seat, state.order)
    }
    seat?.leave()
    order?.cancel()
  }

  /// How long until something is due on an idle stream.
  private var pause: Duration { min(Self.heartbeat, endsAt - scheduler.now) }

  func revisionPublished() {
    state.withLock { $0.signal }?.raise()
  }

  func called(_ call: WaitingRoom.Call) {
    // The call may come a little early. That is the end all the same: a comment now would only be
    // followed by the next call at once, over and over until the time is there.
    let isEndDue = call == .drain || scheduler.now + WaitingRoom.earliness > endsAt
    let signal = state.withLock { state in
      if isEndDue { state.isEndDue = true } else { state.isHeartbeatDue = true }
      return state.signal
    }
    signal?.raise()
  }

  private func step() -> StreamStep {
    let (isFirst, isEndDue, order) = state.withLock { state in
      defer {
        state.isOpened = true
        state.order = nil
      }
      return (!state.isOpened, state.isEndDue, state.order)
    }
    order?.cancel()
    if isEndDue { return .end }
    while true {
      // What the key names was deleted: the client learns why when it connects anew.
      guard let screen = try? models.screen(at: path) else { return .end }
      let change = state.withLock { $0.standpoint }.change(in: screen, models.registry)
      if isFirst { return send(change, of: screen, as: .firstEvent) }
      guard case .nothing(let revision) = change else {
        return send(change, of: screen, as: .eventStream)
      }
      if takeHeartbeat() { return .send(Self.comment) }
      if let order = Watched(screen, after: revision).order(for: self) {
        state.withLock { $0.order = order }
        return .wait
      }
    }
  }

  private func send(
    _ change: Change, of screen: any ScreenInstance, as format: DocumentFormat
  ) -> StreamStep {
    let reached = RevisionName(change.revision.token)
    state.withLock { state in
      state.standpoint = Standpoint(since: reached, have: nil)
      state.isHeartbeatDue = false
    }
    let representation = Representation(format: format, coding: .identity)
    return .send(models.replies.reply(change, of: screen, as: representation))
  }

  private func takeHeartbeat() -> Bool {
    state.withLock { state in
      defer { state.isHeartbeatDue = false }
      return state.isHeartbeatDue
    }
  }
}
