import DequeModule
import Synchronization

/// Keeps the instances of all kinds of screens, and bounds the memory that they take together.
///
/// - One that an input has touched is kept for its history: until the last revision is as old as a history
///   must reach back, and nothing has read it for a while. Then its host keeps no more than its state. If
///   all histories together cost too much, the largest are cut.
/// - One that no input has touched can be made anew at any time. It is kept while it is read, and if all
///   of them together take too much, while others are not read for longer.
final class ScreenKeeper: Sendable {
  fileprivate struct State: Sendable {
    var touched: [ObjectIdentifier: (screen: any KeptScreen, since: Duration)] = [:]
    /// The order in which the touched ones are looked at. A place that does not agree with `touched` is
    /// skipped.
    var turns: Deque<(id: ObjectIdentifier, since: Duration)> = []
    var histories = HistorySizes<ObjectIdentifier>()
    var untouched = UntouchedScreens()
    /// Set while there is an instance.
    var alarm: (number: Int, timer: any Cancellable)?
    var alarmCount = 0
  }

  private let state = Mutex(State())
  private let engine: Engine
  private let scheduler: any Scheduler
  private let historyLimit: Int
  private let untouchedLimit: Int

  /// How many instances are put to rest at once; inputs have to wait meanwhile.
  private static let batch = 256
  /// How late an instance may go: what takes its time has no need to wake the process for itself alone.
  private static let tolerance = Duration.seconds(1)

  init(_ engine: Engine) {
    self.engine = engine
    let environment = engine.environment
    scheduler = environment.scheduler
    historyLimit = environment.logLimits.totalByteCount
    untouchedLimit = environment.untouchedByteCount
  }

  deinit {
    state.withLock { $0.alarm }?.timer.cancel()
  }

  /// Keeps an instance that no input has touched for a while.
  func wasRead(_ screen: any KeptScreen) {
    let now = scheduler.now
    // Let go when the lock is free, and so are those of the other functions.
    _ = state.withLock { state in
      defer { setAlarm(&state) }
      state.untouched.wasRead(screen, at: now)
      return state.untouched.takeUnread(at: now, limit: untouchedLimit)
    }
  }

  /// Keeps an instance that an input has touched.
  func keep(_ screen: any KeptScreen) {
    let now = scheduler.now
    state.withLock { state in
      state.queue(screen, at: now)
      state.untouched.remove(ObjectIdentifier(screen))
      setAlarm(&state)
    }
  }

  /// Keeps an instance no longer.
  func forget(_ screen: any KeptScreen) {
    state.withLock { state in
      state.drop(ObjectIdentifier(screen))
      state.untouched.remove(ObjectIdentifier(screen))
      setAlarm(&state)
    }
  }

  /// Cuts the largest histories if all together cost too much, now that this one has grown.
  func historyGrew(of screen: any KeptScreen) {
    let (byteCount, screens) = state.withLock { state -> (Int, [any KeptScreen]) in
      state.note(screen)
      guard let (byteCount, histories) = state.histories.cut(to: historyLimit) else {
        return (0, [])
      }
      return (byteCount, histories.compactMap { state.touched[$0]?.screen })
    }
    for screen in screens {
      screen.cutHistory(to: byteCount)
      state.withLock { $0.note(screen) }
    }
  }

  /// Sets the timer if there is something to wait for and none is set.
  private func setAlarm(_ state: inout State) {
    guard let turn = state.nextTurn else {
      state.alarm?.timer.cancel()
      state.alarm = nil
      return
    }
    if state.alarm != nil { return }
    state.alarmCount += 1
    let number = state.alarmCount
    let delay = max(.zero, turn - scheduler.now)
    let timer = scheduler.schedule(after: delay, tolerance: Self.tolerance) { [weak self] in
      self?.ring(number)
    }
    state.alarm = (number, timer)
  }

  private func ring(_ number: Int) {
    let now = scheduler.now
    let (_, due) = state.withLock { state -> ([any KeptScreen], [any KeptScreen]) in
      // A timer that was called off may ring all the same.
      guard state.alarm?.number == number else { return ([], []) }
      state.alarm = nil
      defer { setAlarm(&state) }
      return (
        state.untouched.takeUnread(at: now, limit: untouchedLimit),
        state.takeDue(at: now, limit: Self.batch)
      )
    }
    if due.isEmpty { return }
    // In between two inputs, so that none is lost.
    engine.perform { [weak self] in
      for screen in due { self?.look(at: screen, now) }
    }
  }

  /// Puts an instance to rest, or queues it again.
  private func look(at screen: any KeptScreen, _ now: Duration) {
    let isResting = screen.rest(at: now)
    state.withLock { state in
      // It may have been removed meanwhile.
      guard state.touched[ObjectIdentifier(screen)] != nil else { return }
      if isResting { state.drop(ObjectIdentifier(screen)) } else { state.queue(screen, at: now) }
      setAlarm(&state)
    }
  }
}

extension ScreenKeeper.State {
  /// Notes what the history of an instance costs; under the lock, so that of two looks at it the later one
  /// counts.
  fileprivate mutating func note(_ screen: any KeptScreen) {
    let id = ObjectIdentifier(screen)
    if touched[id] != nil { histories.set(id, to: screen.historyByteCount) }
  }

  /// When the next instance has to be looked at; `nil` if there is none.
  fileprivate var nextTurn: Duration? {
    let turn = turns.first.map { $0.since + UntouchedScreens.lifetime }
    return [turn, untouched.nextTurn].compactMap(\.self).min()
  }

  /// Keeps a touched instance, which is looked at after a while.
  fileprivate mutating func queue(_ screen: any KeptScreen, at now: Duration) {
    let id = ObjectIdentifier(screen)
    touched[id] = (screen, now)
    turns.append((id, now))
  }

  /// Drops a touched instance.
  fileprivate mutating func drop(_ id: ObjectIdentifier) {
    touched[id] = nil
    histories.remove(id)
    if touched.isEmpty { (touched, turns) = ([:], []) }
  }

  /// Takes touched instances out of the queue that were not looked at for a while.
  fileprivate mutating func takeDue(at now: Duration, limit: Int) -> [any KeptScreen] {
    var due: [any KeptScreen] = []
    while due.count < limit, let (id, since) = turns.first,
      now - since >= UntouchedScreens.lifetime
    {
      turns.removeFirst()
      if let (screen, current) = touched[id], current == since { due.append(screen) }
    }
    return due
  }
}

/// What a ``ScreenKeeper`` has to know of an instance.
protocol KeptScreen: ScreenInstance {
  /// What it takes in memory, in bytes, estimated.
  var byteCount: Int { get }
  /// What the revisions before the current one cost, in bytes, estimated.
  var historyByteCount: Int { get }
  /// Drops the oldest revisions until the history costs no more than this; never the current one.
  func cutHistory(to byteCount: Int)
  /// Keeps for good what the instance can be made of, if nothing has read it since the last call, nothing
  /// waits for it, and its history need not be kept; called in between two inputs.
  ///
  /// - Returns: Whether the instance may go.
  func rest(at now: Duration) -> Bool
}
