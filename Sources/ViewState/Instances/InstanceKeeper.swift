import Synchronization

/// Keeps the instances of all screens, and bounds the memory that they take together.
///
/// - An instance that an input has touched is kept as long as it has a history. If all histories together take too
///   much memory, the largest are cut. An instance without a history comes to rest if nothing has read it for a while:
///   its host keeps only its ``Rest``. An instance with a history also comes to rest if the clock loads its sources, or
///   if all touched instances take too much memory without their histories.
/// - An instance that no input has touched can be made again at any time. It is kept until nothing has read
///   it for a while. If all such instances together take too much memory, some of those that were not read of late are
///   dropped.
final class InstanceKeeper: Sendable {
  fileprivate struct State: Sendable {
    var touched = KeptInstances()
    var histories = HistorySizes<ObjectIdentifier>()
    var untouched = KeptInstances()
    var looks: SessionLooks
    /// The timer, which is set while an instance or a session is kept.
    var alarm: (turn: Duration, timer: any Cancellable)?
  }

  private let state: Mutex<State>
  private let engine: Engine
  private let scheduler: any Scheduler
  private let historyLimit: Int
  private let touchedLimit: Int
  private let untouchedLimit: Int

  /// The largest number of instances to put to rest between two inputs, which wait for it.
  private static let batch = 256
  /// The time by which an instance may go late, so that the process does not wake for it alone.
  private static let tolerance = Duration.seconds(1)

  init(_ engine: Engine) {
    self.engine = engine
    let environment = engine.environment
    scheduler = environment.scheduler
    historyLimit = environment.logLimits.totalByteCount
    touchedLimit = environment.touchedByteCount
    untouchedLimit = environment.untouchedByteCount
    state = Mutex(State(looks: SessionLooks(interval: SessionUse.interval(of: environment))))
  }

  deinit {
    state.withLock { $0.alarm }?.timer.cancel()
  }

  /// Keeps an instance that a reader has found or made and that no input has touched.
  func wasRead(_ instance: Instance) {
    let now = scheduler.now
    // Released after the lock: the end of an instance takes the lock of its host.
    _ = state.withLock { state in
      defer { setAlarm(&state) }
      if state.untouched[ObjectIdentifier(instance)] == nil {
        state.untouched.queue(instance, at: now)
      }
      return state.takeUnread(at: now, limit: untouchedLimit)
    }
  }

  /// Keeps an instance that an input has touched.
  func keep(_ instance: Instance) {
    let now = scheduler.now
    state.withLock { state in
      state.touched.queue(instance, at: now)
      state.untouched.remove(ObjectIdentifier(instance))
      setAlarm(&state)
    }
    putExcessToRest()
  }

  /// Notes the memory that an instance takes once its view model is made.
  func laidOut(_ instance: Instance) {
    state.withLock { $0.note(instance) }
    putExcessToRest()
  }

  /// Puts a few instances to rest if all that inputs have touched take too much memory.
  private func putExcessToRest() {
    let excess = state.withLock { $0.takeExcess(over: touchedLimit) }
    if excess.isEmpty { return }
    // Not here, because this may be a reader, which would apply the inputs that wait.
    _ = scheduler.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      putToRest(excess)
    }
  }

  /// The number of instances that inputs have touched, and the estimated memory of their histories, in bytes.
  var kept: (count: Int, byteCount: Int) {
    state.withLock { ($0.touched.count, $0.histories.total) }
  }

  /// The number of sessions that are looked at from time to time.
  var sessionCount: Int { state.withLock { $0.looks.count } }

  /// Stops keeping an instance.
  func forget(_ instance: Instance) {
    state.withLock { state in
      state.drop(ObjectIdentifier(instance))
      state.untouched.remove(ObjectIdentifier(instance))
      setAlarm(&state)
    }
  }

  /// Looks at a session later.
  ///
  /// - Parameter look: Called with the number of the look.
  /// - Returns: The number of the look.
  func later(_ look: @escaping @Sendable (Int) -> Void) -> Int {
    let now = scheduler.now
    return state.withLock { state in
      defer { setAlarm(&state) }
      return state.looks.add(look, at: now)
    }
  }

  /// Cancels a look; does nothing if it was taken already.
  ///
  /// - Complexity: O(log *n*) amortised, where *n* is the number of looks.
  func cancelLook(_ number: Int) {
    state.withLock { state in
      state.looks.cancel(number)
      setAlarm(&state)
    }
  }

  /// Cuts the largest histories if all together take too much memory after one has grown.
  func historyGrew(of instance: Instance) {
    let (byteCount, instances) = state.withLock { state -> (Int, [Instance]) in
      state.note(instance)
      guard let (byteCount, histories) = state.histories.cut(to: historyLimit) else {
        return (0, [])
      }
      return (byteCount, histories.compactMap { state.touched[$0] })
    }
    for instance in instances {
      instance.cutHistory(to: byteCount)
      state.withLock { $0.note(instance) }
    }
    // It may have grown itself.
    putExcessToRest()
  }

  /// Sets the timer for the next turn, unless it rings before; cancels it if nothing is kept.
  private func setAlarm(_ state: inout State) {
    guard let turn = state.nextTurn else {
      state.alarm?.timer.cancel()
      state.alarm = nil
      return
    }
    if let alarm = state.alarm {
      if alarm.turn <= turn { return }
      alarm.timer.cancel()
    }
    let delay = max(.zero, turn - scheduler.now)
    let timer = scheduler.schedule(after: delay, tolerance: Self.tolerance) { [weak self] in
      self?.ring()
    }
    state.alarm = (turn, timer)
  }

  private func ring() {
    let now = scheduler.now
    let (_, due, looks) = state.withLock {
      state -> ([Instance], [Instance], [@Sendable () -> Void]) in
      // A timer may ring although it was cancelled: then there may be another one.
      state.alarm?.timer.cancel()
      state.alarm = nil
      defer { setAlarm(&state) }
      return (
        state.takeUnread(at: now, limit: untouchedLimit),
        state.takeDue(at: now, limit: Self.batch),
        state.looks.takeDue(at: now)
      )
    }
    for look in looks { look() }
    if !due.isEmpty { putToRest(due) }
  }

  /// Puts instances to rest, or queues them again if they are in use. They go early while all that inputs have touched
  /// take too much memory, also if no input comes, as after many clients have left.
  private func putToRest(_ instances: [Instance]) {
    // Between two inputs, so that no instance rests while an input changes it.
    engine.perform { [weak self] in
      guard let self else { return }
      // A use is not noted as one from before a look at the session that came meanwhile.
      let now = scheduler.now
      for instance in instances {
        let isEarly = state.withLock { $0.touched.byteCount > touchedLimit }
        instance.rest(at: now, isEarly: isEarly)
        dropIfResting(instance, now)
      }
    }
  }

  /// Drops an instance whose host has its rest, and queues it again otherwise.
  func dropIfResting(_ instance: Instance, _ now: Duration) {
    state.withLock { state in
      // It may have been removed meanwhile.
      guard state.touched[ObjectIdentifier(instance)] != nil else { return }
      // A reader may have touched it since it came to rest: then only the instance has its state.
      if instance.isTouched {
        state.touched.queue(instance, at: now)
      } else {
        state.drop(ObjectIdentifier(instance))
      }
      setAlarm(&state)
    }
  }
}

extension InstanceKeeper.State {
  /// Notes the size of a touched instance and of its history. They are read under the lock, so that the last note has
  /// the last sizes.
  fileprivate mutating func note(_ instance: Instance) {
    let id = ObjectIdentifier(instance)
    if touched[id] == nil { return }
    let sizes = instance.byteCounts
    touched.setByteCount(of: id, to: sizes.content)
    histories.set(id, to: sizes.history)
  }

  /// The time at which the next instance or session must be checked; `nil` if none is kept.
  fileprivate var nextTurn: Duration? {
    [touched.nextTurn, untouched.nextTurn, looks.nextTurn].compactMap(\.self).min()
  }

  /// Takes a few touched instances that were not checked for the longest time if all together take too much memory.
  ///
  /// An instance that was read since its last check is spared once, as by the clock algorithm (Corbató, 1968), so that
  /// it takes two checks for each instance that is added, and more while others are in use.
  fileprivate mutating func takeExcess(over limit: Int) -> [Instance] {
    var excess: [Instance] = []
    while touched.byteCount > limit, excess.count < 4, let first = touched.takeFirst() {
      excess.append(first)
    }
    return excess
  }

  /// Drops a touched instance.
  fileprivate mutating func drop(_ id: ObjectIdentifier) {
    touched.remove(id)
    histories.remove(id)
  }

  /// Takes touched instances that must be checked now.
  fileprivate mutating func takeDue(at now: Duration, limit: Int) -> [Instance] {
    var due: [Instance] = []
    while due.count < limit, let first = touched.takeFirst(dueAt: now) { due.append(first) }
    return due
  }

  /// Removes the untouched instances that were not read since their last check, and returns them. While all together take
  /// more than the limit, they are checked before their turn, but the last one never goes: a list that is larger than the
  /// limit would be made again by each read, and would have no history. A limit of 0 keeps none.
  fileprivate mutating func takeUnread(at now: Duration, limit: Int) -> [Instance] {
    var taken: [Instance] = []
    func isExcess(_ instances: KeptInstances) -> Bool {
      instances.byteCount > limit && (instances.count > 1 || limit == 0)
    }
    while let first = untouched.takeFirst(dueAt: isExcess(untouched) ? nil : now) {
      if first.use.take(at: now) {
        untouched.queue(first, at: now)
      } else {
        untouched.remove(ObjectIdentifier(first))
        taken.append(first)
      }
    }
    return taken
  }
}
