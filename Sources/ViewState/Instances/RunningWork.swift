import CanonicalJSON
import Synchronization

/// The running loads of an instance, and its loads by the clock, which wait for their time or run.
///
/// The thread that applies an input starts and ends loads; loads by the clock start and end on any thread.
/// If the instance goes, all of them are cancelled.
final class RunningWork: Sendable {
  private struct Running: Sendable {
    /// Distinguishes the load from others of the source before and after it.
    let token: LoadToken
    var timers: [any Cancellable] = []

    func cancel() {
      for timer in timers { timer.cancel() }
    }
  }

  private struct State: Sendable {
    var loads: [PartWork: Running] = [:]
    var refreshes: [PartWork: Running] = [:]
    /// The loads whose results come too late: when the next load of their part starts after they have ended.
    var late: [(source: PartWork, token: LoadToken)] = []
    var lastRefresh = LoadToken.none
    /// The failures of the last loads by the clock. Only a new one is an incident: a source that stays broken would fill
    /// the log, and push all others out of the incidents.
    var failures: [PartWork: LoadFailure] = [:]
    var hasEnded = false

    /// Puts a new load by the clock in the place of that of the source, if there is one.
    ///
    /// - Returns: `nil` if nothing may start any more.
    mutating func begin(_ source: PartWork) -> LoadToken? {
      if hasEnded { return nil }
      lastRefresh = lastRefresh.next
      refreshes[source] = Running(token: lastRefresh)
      return lastRefresh
    }

    /// Removes the loads of a part whose results are too late by now, and returns them.
    ///
    /// A part that looks up for several fields runs several loads, so those that still run stay: they would show a result.
    mutating func takeLate(of part: Text) -> [(source: PartWork, token: LoadToken)] {
      let ended = late.indices { $0.source.part == part && loads[$0.source]?.token != $0.token }
      defer { late.removeSubranges(ended) }
      return Array(late[ended])
    }
  }

  private let host: ScreenHost
  private let key: InstanceKey
  private let epoch: RevisionEpoch
  private let state = Mutex(State())

  init(of host: ScreenHost, _ key: InstanceKey, _ epoch: RevisionEpoch) {
    (self.host, self.key, self.epoch) = (host, key, epoch)
  }

  deinit { cancelAll() }

  private var screen: any EngineScreen { host.screen }
  private var engine: Engine { host.engine }

  /// Whether a load runs that an input has started.
  var isLoading: Bool { state.withLock { !$0.loads.isEmpty } }

  /// Cancels everything. Nothing starts afterwards.
  func cancelAll() {
    let running = state.withLock { state in
      state.hasEnded = true
      defer { (state.loads, state.refreshes) = ([:], [:]) }
      return Array(state.loads.values) + Array(state.refreshes.values)
    }
    for work in running { work.cancel() }
  }

  /// Returns the work of a source without its fault script.
  private func unscripted(_ source: PartWork) -> Work {
    screen.unscripted(source, for: key.element, in: engine.stores)
  }
}

/// Loads that inputs start.
extension RunningWork {
  /// Runs the effects of an input, and begins loads by the clock.
  ///
  /// - Parameter origin: The place of the input.
  func perform(_ draft: InstanceDraft, _ origin: InputOrigin) {
    for effect in draft.effects {
      switch effect {
      case .start(let source, let token):
        start(source, token, draft.works[effect] ?? .hanging, origin)
      case .end(let source, let token): end(source, token)
      }
    }
    waitToRefresh(draft.instance)
  }

  /// Starts work here, or takes it over from another server.
  private func start(
    _ source: PartWork, _ token: LoadToken, _ work: Work, _ origin: InputOrigin
  ) {
    if origin == .here {
      start(source, token, work)
    } else {
      takeOver(source, token, work)
    }
  }

  /// Starts the work again that runs in a state, without its fault scripts: they were followed once.
  ///
  /// - Parameter origin: Whether other servers may run it.
  func resume(in state: AnyState, _ origin: InputOrigin) {
    for (source, token) in screen.running(in: state) {
      start(source, token, unscripted(source), origin)
    }
  }

  /// Starts the work and its time-out together; the first end of the two is an input.
  private func start(_ source: PartWork, _ token: LoadToken, _ work: Work) {
    postLateEnds(before: source, token, work)
    let scheduler = engine.environment.scheduler
    let end: @Sendable (JSONValue?, LoadFailure?) -> Void = { [weak self] value, failure in
      self?.postEnd(source, token, value, failure)
    }
    var timers = [scheduler.schedule(after: engine.settings.loadTimeout) { end(nil, .timedOut) }]
    switch work {
    case .succeeding(let delay): timers.append(scheduler.schedule(after: delay) { end(nil, nil) })
    case .failing(let failure, let delay):
      timers.append(scheduler.schedule(after: delay) { end(nil, failure) })
    case .hanging, .late: break
    case .running(let load):
      timers.append(
        engine.outsideLoads.wait(for: load, of: key.text, as: source.part) { [weak self] result in
          switch result {
          case .success(let value):
            // It answers again, so a failure of the next load by the clock is a new one.
            self?.state.withLock { $0.failures[PartWork(part: source.part)] = nil }
            end(value, nil)
          case .failure(let failure): end(nil, failure)
          }
        })
    }
    // An end cannot be applied before: this runs in the turn of the input that starts the work.
    state.withLock { $0.loads[source] = Running(token: token, timers: timers) }
  }

  /// Starts work that another server has started, if it has not ended after half of its time-out: that server may be
  /// gone. Each server waits for another time, so that most often one of them starts it.
  private func takeOver(_ source: PartWork, _ token: LoadToken, _ work: Work) {
    let delay = engine.settings.loadTimeout / 2 * Double.random(in: 1...1.5)
    let timer = engine.environment.scheduler.schedule(after: delay) { [weak self, engine] in
      engine.perform { [weak self] in
        guard let self, self.state.withLock({ $0.loads[source]?.token }) == token else { return }
        self.start(source, token, work)
      }
    }
    state.withLock { $0.loads[source] = Running(token: token, timers: [timer]) }
  }

  /// Posts the results of loads of the same part that are too late when this one starts.
  private func postLateEnds(before source: PartWork, _ token: LoadToken, _ work: Work) {
    let late = state.withLock { state in
      defer { if case .late = work { state.late.append((source, token)) } }
      return state.takeLate(of: source.part)
    }
    for load in late { postEnd(load.source, load.token, nil, nil) }
  }

  private func postEnd(
    _ source: PartWork, _ token: LoadToken, _ value: JSONValue?, _ failure: LoadFailure?
  ) {
    engine.post(
      LoadEnd(
        host: host, key: key.text, epoch: epoch, source: source, token: token, value: value,
        failure: failure))
  }

  /// Ends a load, if it runs.
  private func end(_ source: PartWork, _ token: LoadToken) {
    let ended = state.withLock { state in
      state.loads[source]?.token == token ? state.loads.removeValue(forKey: source) : nil
    }
    ended?.cancel()
  }
}

/// Loads by the clock. They go on as long as there is the instance, which keeps this.
extension RunningWork {
  /// Lets the clock load the sources that the state of the instance loads again, unless it does already.
  func waitToRefresh(_ instance: Instance) {
    for (source, interval) in instance.refreshes {
      let token = state.withLock { state in
        state.refreshes[source] == nil ? state.begin(source) : nil
      }
      guard let token else { continue }
      let timer = engine.environment.scheduler.schedule(after: interval) {
        [weak self, weak instance] in
        guard let self, let instance, takeRefresh(source, token) != nil else { return }
        // If nothing used it for as long as histories reach, the source is left alone, so that the instance comes to rest.
        let (now, age) = (engine.environment.scheduler.now, engine.environment.logLimits.age)
        if instance.wasUsed(since: now - age) {
          return refresh(source, of: instance)
        }
        // The state is read between two inputs, so that nothing waits for a screen that takes long.
        engine.perform { [weak self, weak instance] in
          if let instance { self?.waitToRefresh(instance) }
        }
      }
      add([timer], to: source, token)
    }
  }

  /// Loads all sources again that the clock loads.
  func refresh(_ instance: Instance) {
    for (source, _) in instance.refreshes { refresh(source, of: instance) }
  }

  /// Loads a source again, in place of a load by the clock that waits or runs. The instance shows the old value until
  /// there is a new one.
  private func refresh(_ source: PartWork, of instance: Instance) {
    guard case .running(let load) = unscripted(source) else { return }
    let (before, token) = state.withLock { ($0.refreshes[source], $0.begin(source)) }
    guard let token else { return }
    let end: @Sendable (Result<JSONValue, LoadFailure>) -> Void = {
      [weak self, weak instance] result in
      // Otherwise the other end came first.
      guard let self, let instance, let ended = takeRefresh(source, token) else { return }
      ended.cancel()
      refreshed(instance, source, result)
    }
    let call = engine.outsideLoads.wait(for: load, of: key.text, as: source.part, end)
    // Only now: if its call runs, this one waits for it, too, and it is not made again.
    before?.cancel()
    let timer = engine.environment.scheduler.schedule(after: engine.settings.loadTimeout) {
      end(.failure(.timedOut))
    }
    add([call, timer], to: source, token)
  }

  private func refreshed(
    _ instance: Instance, _ source: PartWork, _ result: Result<JSONValue, LoadFailure>
  ) {
    var incident: LoadFailure?
    switch result {
    case .success(let value):
      state.withLock { $0.failures[source] = nil }
      // A journal would record a value that the state has already again and again, for each session.
      if isNew(value, of: source, for: instance) {
        engine.post(Refresh(host: host, key: key.text, epoch: epoch, source: source, value: value))
      }
    case .failure(let failure):
      let before = state.withLock { $0.failures.updateValue(failure, forKey: source) }
      incident = failure == before ? nil : failure
    }
    engine.perform { [weak self, weak instance, incident] in
      guard let self, let instance else { return }
      if let incident { instance.record(screen.incident(incident, of: source)) }
      waitToRefresh(instance)
    }
  }

  /// Returns whether a value that the clock has loaded changes the state.
  private func isNew(_ value: JSONValue, of source: PartWork, for instance: Instance) -> Bool {
    let before = instance.last.state.value
    var after = before
    _ = screen.refresh(source, with: value, on: &after, for: key.element)
    return after != before
  }

  /// Removes a load by the clock, and returns it; `nil` if it has ended, or another one is in its place.
  private func takeRefresh(_ source: PartWork, _ token: LoadToken) -> Running? {
    state.withLock { state in
      state.refreshes[source]?.token == token ? state.refreshes.removeValue(forKey: source) : nil
    }
  }

  /// Adds timers to a load by the clock. If it has ended meanwhile, cancels them.
  private func add(_ timers: [any Cancellable], to source: PartWork, _ token: LoadToken) {
    let isRunning = state.withLock { state in
      guard state.refreshes[source]?.token == token else { return false }
      state.refreshes[source]?.timers = timers
      return true
    }
    if !isRunning { for timer in timers { timer.cancel() } }
  }
}
