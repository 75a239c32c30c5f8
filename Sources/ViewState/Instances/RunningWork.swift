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
    /// The loads whose results come after the next load of their part has started, by the parts.
    var late: [Text: (source: PartWork, token: LoadToken)] = [:]
    var lastRefresh = LoadToken.none
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
  }

  private let engine: Engine
  private let host: ScreenHost
  private let key: Text
  private let epoch: RevisionEpoch
  private let state = Mutex(State())

  init(engine: Engine, host: ScreenHost, key: Text, epoch: RevisionEpoch) {
    self.engine = engine
    self.host = host
    self.key = key
    self.epoch = epoch
  }

  deinit { cancelAll() }

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
}

/// Loads that inputs start.
extension RunningWork {
  /// Starts the work and its time-out together; the first end of the two is an input.
  func start(_ source: PartWork, _ token: LoadToken, _ work: Work) {
    let ends: [(Duration, LoadFailure?)] =
      switch work {
      case .succeeding(let delay): [(delay, nil)]
      case .failing(let failure, let delay): [(delay, failure)]
      case .hanging, .late, .running: []
      }
    let end: @Sendable (JSONValue?, LoadFailure?) -> Void = { [engine, host, key, epoch] in
      engine.post(
        LoadEnd(
          host: host, key: key, epoch: epoch, source: source, token: token, value: $0, failure: $1))
    }
    postLateEnd(before: source, token, work)
    let scheduler = engine.environment.scheduler
    var timers = ([(engine.settings.loadTimeout, LoadFailure.timedOut)] + ends).map {
      delay, failure in
      scheduler.schedule(after: delay) { end(nil, failure) }
    }
    if case .running(let load) = work {
      timers.append(
        engine.outsideLoads.wait(for: load.of(key)) { result in
          switch result {
          case .success(let value): end(value, nil)
          case .failure(let failure): end(nil, failure)
          }
        })
    }
    // An end cannot be applied before: this runs in the turn of the input that starts the work.
    state.withLock { $0.loads[source] = Running(token: token, timers: timers) }
  }

  /// Starts work that another server has started, if it has not ended after half of its time-out: that server may be
  /// gone. Each server waits for another time, so that most often one of them starts it.
  func takeOver(_ source: PartWork, _ token: LoadToken, _ work: Work) {
    let delay = engine.settings.loadTimeout / 2 * Double.random(in: 1...1.5)
    let timer = engine.environment.scheduler.schedule(after: delay) { [weak self, engine] in
      engine.perform { [weak self] in
        guard let self, self.state.withLock({ $0.loads[source]?.token }) == token else { return }
        self.start(source, token, work)
      }
    }
    state.withLock { $0.loads[source] = Running(token: token, timers: [timer]) }
  }

  /// Posts the end of the load of the same part before this one, if its work is one that comes late.
  private func postLateEnd(before source: PartWork, _ token: LoadToken, _ work: Work) {
    let late = state.withLock { state in
      defer { if case .late = work { state.late[source.part] = (source, token) } }
      return state.late.removeValue(forKey: source.part)
    }
    guard let late else { return }
    engine.post(
      LoadEnd(
        host: host, key: key, epoch: epoch, source: late.source, token: late.token, value: nil,
        failure: nil))
  }

  /// Ends a load, if it runs.
  func end(_ source: PartWork, _ token: LoadToken) {
    let ended = state.withLock { state in
      state.loads[source]?.token == token ? state.loads.removeValue(forKey: source) : nil
    }
    ended?.cancel()
  }
}

/// Loads by the clock.
extension RunningWork {
  /// Calls a function after a time, unless a load of the source by the clock waits or runs.
  func waitToRefresh(
    _ source: PartWork, for interval: Duration, then refresh: @escaping @Sendable () -> Void
  ) {
    let token = state.withLock { state in
      state.refreshes[source] == nil ? state.begin(source) : nil
    }
    guard let token else { return }
    let timer = engine.environment.scheduler.schedule(after: interval) { [weak self] in
      let isDue = self?.state.withLock { state in
        guard state.refreshes[source]?.token == token else { return false }
        state.refreshes[source] = nil
        return true
      }
      if isDue == true { refresh() }
    }
    add([timer], to: source, token)
  }

  /// Loads a source, in place of a load by the clock that waits or runs.
  ///
  /// - Parameter end: Receives the result, or the failure of the time-out, once.
  func refresh(
    _ source: PartWork, by load: OutsideLoad,
    then end: @escaping @Sendable (Result<JSONValue, LoadFailure>) -> Void
  ) {
    let (before, token) = state.withLock { ($0.refreshes[source], $0.begin(source)) }
    before?.cancel()
    guard let token else { return }
    let finish: @Sendable (Result<JSONValue, LoadFailure>) -> Void = { [weak self] result in
      let ended = self?.state.withLock { state in
        state.refreshes[source]?.token == token ? state.refreshes.removeValue(forKey: source) : nil
      }
      // The other end came first.
      guard let ended = ended ?? nil else { return }
      ended.cancel()
      end(result)
    }
    let call = engine.outsideLoads.wait(for: load, finish)
    let timer = engine.environment.scheduler.schedule(after: engine.settings.loadTimeout) {
      call.cancel()
      finish(.failure(.timedOut))
    }
    add([call, timer], to: source, token)
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
