import Synchronization

/// Keeps the instances of all kinds of screens, and bounds the memory that they take together.
///
/// - One that an input has touched is kept until what its key names is removed. If all their histories
///   together cost too much, the largest are cut.
/// - One that no input has touched can be made anew at any time. It is kept while it is read, and if all
///   of them together take too much, while others are not read for longer.
final class ScreenKeeper: Sendable {
  fileprivate struct State: Sendable {
    var touched: [ObjectIdentifier: any KeptScreen] = [:]
    var histories = HistorySizes<ObjectIdentifier>()
    var untouched = UntouchedScreens()
    /// Set while there are untouched ones.
    var alarm: (number: Int, timer: any Cancellable)?
    var alarmCount = 0
  }

  private let state = Mutex(State())
  private let scheduler: any Scheduler
  private let historyLimit: Int
  private let untouchedLimit: Int

  init(_ environment: ScreenEnvironment) {
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
    state.withLock { state in
      state.touched[ObjectIdentifier(screen)] = screen
      state.untouched.remove(ObjectIdentifier(screen))
      setAlarm(&state)
    }
  }

  /// Keeps an instance no longer.
  func forget(_ screen: any KeptScreen) {
    state.withLock { state in
      state.touched[ObjectIdentifier(screen)] = nil
      state.histories.remove(ObjectIdentifier(screen))
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
      return (byteCount, histories.compactMap { state.touched[$0] })
    }
    for screen in screens {
      screen.cutHistory(to: byteCount)
      state.withLock { $0.note(screen) }
    }
  }

  /// Sets the timer if there is something to wait for and none is set.
  private func setAlarm(_ state: inout State) {
    guard let turn = state.untouched.nextTurn else {
      state.alarm?.timer.cancel()
      state.alarm = nil
      return
    }
    if state.alarm != nil { return }
    state.alarmCount += 1
    let number = state.alarmCount
    let timer = scheduler.schedule(after: max(.zero, turn - scheduler.now)) { [weak self] in
      self?.ring(number)
    }
    state.alarm = (number, timer)
  }

  private func ring(_ number: Int) {
    let now = scheduler.now
    _ = state.withLock { state -> [any KeptScreen] in
      // A timer that was called off may ring all the same.
      guard state.alarm?.number == number else { return [] }
      state.alarm = nil
      defer { setAlarm(&state) }
      return state.untouched.takeUnread(at: now, limit: untouchedLimit)
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
}

/// What a ``ScreenKeeper`` has to know of an instance.
protocol KeptScreen: ScreenInstance {
  /// What it takes in memory, in bytes, estimated.
  var byteCount: Int { get }
  /// What the revisions before the current one cost, in bytes, estimated.
  var historyByteCount: Int { get }
  /// Drops the oldest revisions until the history costs no more than this; never the current one.
  func cutHistory(to byteCount: Int)
}
