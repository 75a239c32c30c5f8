public import CanonicalJSON
import Synchronization

/// Applies everything that happens, one input at a time, and publishes what each input changed in one
/// step.
///
/// ```swift
/// let engine = Engine(environment: ScreenEnvironment())
/// let notes = Store("notes", Notes(), in: engine)
/// ```
///
/// An input reads and changes the stores and the states of instances; it uses no clock, no random numbers
/// and nothing from outside. So equal inputs in equal order give equal stores, states and revisions.
/// Work outside the engine, such as a load, starts after the input that asks for it is published; the end of
/// the work is another input.
///
/// Readers take what is published. If an input has not made the view model of a revision, the first reader of the
/// revision makes it. A reader waits for an input only if inputs change a view model faster than it is made, or if
/// revisions from before a restart are made again.
///
/// Three rules exclude deadlocks and half writes: an input only prepares changes, which are published together under
/// one lock, the gate; several instances are read at once under the gate; and no view model is made under the gate.
public final class Engine: Sendable {
  /// The clock, the limits and the log.
  public let environment: ScreenEnvironment
  /// The calls of sources outside that run now.
  let outsideLoads = OutsideLoads()
  /// The secret bytes that tokens are made with.
  let seed: [UInt8]
  /// Makes the epochs, of another seed while the entries of another program are applied.
  private let epochs: Mutex<EpochSource>
  let queue = Mailbox<any Turn>()
  /// Whether an input that changes a view model makes it, even if it has no reader: a replay shows what changes.
  let makesUnread = Atomic(false)
  /// The last values of the stores, of which earlier revisions are made; `nil` if there is no journal.
  private let pastStores = Mutex<PastStores?>(nil)
  /// The position of the last input that is published.
  let appliedPosition = Atomic(0)
  /// The memory of the states that inputs have given to view models, in bytes, estimated, after that input.
  let stateByteCount = Atomic(0)
  /// Identifies the program in the journal; empty if there is no journal.
  let program: Text
  /// Records the inputs; `nil` if they are kept in memory alone.
  let recorder: (any InputRecorder)?
  /// Whether other servers may append to the journal. It is stored because each request reads it.
  package let isShared: Bool
  /// What the journal has, until the engine has begun.
  private let recovery: Mutex<Recovery?>
  let gate = Gate()
  private let core = Mutex(Core())
  let incidents: IncidentLog
  let watchdog: Watchdog
  private let pace = InputPace()
  /// The stores and screens.
  let contents = EngineContents()

  /// The values that only the thread uses that applies an input.
  private struct Core: Sendable {
    var position = 0
    /// The weight of the inputs that a journal has recorded; see ``Checkpoint/Mark/weight``.
    var weight = 0
    var time = Timestamp(secondsSince1970: 0)
    var memory = EngineMemory()
    /// Sums up the inputs for a comparison with other servers; `nil` if there are none.
    var block: BlockDigest?
  }

  /// Creates an engine without stores and screens.
  ///
  /// - Parameters:
  ///   - environment: The clock, the limits and the log of the engine.
  ///   - seed: Secret bytes. Engines with the same seed that apply the same inputs give the same revisions.
  public convenience init(
    environment: ScreenEnvironment, seed: [UInt8] = Engine.randomSeed()
  ) {
    self.init(environment, seed: seed, program: "", nil, nil)
  }

  /// Creates an engine without stores and screens that goes on where a journal ends. Inputs wait until ``start()``
  /// is called.
  ///
  /// - Parameters:
  ///   - environment: The clock, the limits and the log of the engine.
  ///   - seed: Secret bytes, used if the journal is empty or of another program. The journal keeps them.
  ///   - journal: The journal of the inputs.
  ///   - program: Identifies the program; `nil` takes it for the one that has written the journal. Another program may
  ///     show the same state in another way, so it gives other revisions.
  ///   - retention: How long the journal keeps inputs that a start does not need.
  /// - Throws: `JournalError` if the journal cannot be read.
  public convenience init(
    environment: ScreenEnvironment, seed: [UInt8] = Engine.randomSeed(), journal: any Journal,
    program: Text? = nil, keeping retention: JournalRetention = JournalRetention()
  ) throws(JournalError) {
    try self.init(
      environment: environment, seed: seed, journal: journal, program: program,
      CheckpointSchedule(keeping: retention))
  }

  package convenience init(
    environment: ScreenEnvironment, seed: [UInt8], journal: any Journal, program: Text?,
    _ schedule: CheckpointSchedule
  ) throws(JournalError) {
    let recovery = try Recovery(journal, schedule, program)
    let program = program ?? recovery.record?.program ?? ""
    let shared = journal as? any SharedJournal
    let known = recovery.record.flatMap { record in
      let isSame =
        record.program == program && shared?.mayLackEntries != true && !recovery.mustRenewTokens
      return isSame && record.seed != EngineRecord.noSeed ? record.seed : nil
    }
    let recorder: any InputRecorder =
      if let shared {
        SharedRecorder(shared, schedule)
      } else {
        Recorder(journal, schedule)
      }
    self.init(environment, seed: known ?? seed, program: program, recorder, recovery)
  }

  private init(
    _ environment: ScreenEnvironment, seed: [UInt8], program: Text,
    _ recorder: (any InputRecorder)?, _ recovery: Recovery?
  ) {
    self.environment = environment
    self.program = program
    self.recorder = recorder
    isShared = recorder is SharedRecorder
    self.recovery = Mutex(recovery)
    self.seed = seed
    epochs = Mutex(EpochSource(seed: seed))
    incidents = IncidentLog(environment)
    watchdog = Watchdog(environment, incidents)
    gate.begin(with: environment.settings, at: environment.now())
  }

  /// Returns a seed for an engine: 32 random bytes from the generator of the system.
  public static func randomSeed() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in .random(in: .min ... .max, using: &generator) }
  }

  /// The values of all stores, as the view models show them.
  ///
  /// - Complexity: O(1).
  public var stores: Stores { gate.stores }

  func add<Value: StoreValue>(_ value: Value, named name: Text) -> Int {
    guard contents.storeIndexes[name] == nil else { fatalError("two stores are named \(name)") }
    let (known, isOther) = recovery.withLock {
      ($0?.store(name, as: Value.self), $0?.isOther == true)
    }
    // The same program keeps those with which its inputs were applied.
    let recorded = known.map { isOther ? $0.value.withRules(of: value) : $0.value }
    return gate.add(recorded ?? value, known?.versions ?? StoreVersions(), named: name)
  }

  /// The epoch of the view model of a name, or of anything else that is named by positions.
  ///
  /// - Parameter born: The position at which the key came to be; 0 for the start.
  package func epoch(of name: Text, born: Int = 0) -> RevisionEpoch {
    epochs.withLock { $0 }.epoch(of: name, born: born)
  }

  /// Applies an input after those that came before.
  ///
  /// - Returns: The outcome, once all that the input changed is published.
  func submit<Kind: RequestInput>(_ input: Kind) async throws(Kind.Failure) -> Kind.Success {
    let outcome = await withCheckedContinuation { continuation in
      queue.post(Submitted(input: input, sender: Sender<Kind.Outcome>(continuation)))
      drain { $0.isRequest }
    }
    return try outcome.get()
  }

  /// Applies an input after those that came before, at once unless another thread is applying one.
  func post(_ input: some Input) {
    queue.post(Submitted(input: input))
    drain()
  }

  /// Runs work between two inputs.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    queue.post(Upkeep(work: work))
    drain()
  }

  /// Applies an input of this engine.
  func apply<Kind: Input>(_ input: Kind, at time: Timestamp) -> Kind.Outcome {
    apply(input, at: time, from: .here).outcome
  }

  /// Whether a thread that has to come back soon may submit an input: it applies the input itself, and a few of
  /// other requests, unless another thread is applying one. Not if a journal records inputs, which takes its time, or
  /// if one input may change many sessions.
  package var isQuick: Bool {
    recorder == nil && pace.isQuick(at: environment.scheduler.now)
      && !contents.hosts.contains(where: \.hasManySessions)
  }

  /// Applies the inputs that wait. If others keep the queue full, another thread goes on, because the
  /// sender of an input waits for this one.
  ///
  /// - Parameter isDue: Returns whether this thread may take a turn; the first one that it may not take is left to
  ///   another thread, with all behind it.
  private func drain(while isDue: (any Turn) -> Bool = { _ in true }) {
    if let recorder { return recorder.drain(self) }
    let isLeft = queue.drain(atMost: Self.share, while: isDue) { turn in
      let start = environment.scheduler.now
      turn.take(in: self, at: environment.now())
      let end = environment.scheduler.now
      if turn.isRequest { pace.add(end - start, endingAt: end) }
    }
    if isLeft { Task { drain() } }
  }

  /// The number of inputs that one thread applies before another one goes on.
  private static let share = 16
  /// The number of inputs that a journal records at once.
  static let batch = 256

  private func apply<Kind: Input>(
    _ input: Kind, at time: Timestamp, from origin: InputOrigin
  ) -> (outcome: Kind.Outcome, step: Step) {
    // Before the lock, for which readers wait.
    let weight = recorder == nil ? 0 : Checkpoint.weight(of: input)
    let (step, outcome, watchers) = core.withLock { core in
      core.position += 1
      core.time = max(core.time, time)
      let hosts = contents.hosts
      watchdog.begin(input, at: core.position)
      defer { watchdog.end() }
      let (stores, arrivals) = gate.open()
      let transaction = Transaction(stores, at: core.position, core.time)
      func step() -> Step {
        Step(input, transaction, core.memory, from: origin, hosts: hosts, watchdog)
      }
      #if DEBUG
        let rehearsal = Rehearsal(of: input, in: step(), contents)
      #endif
      let step = step()
      let outcome = input.apply(in: step)
      step.settle()
      #if DEBUG
        rehearsal?.check(step)
      #endif
      core.memory = step.memory
      // Before readers can make a view model of these stores, and ask for its earlier revisions.
      pastStores.withLock {
        $0?.add(
          step.transaction, bringing: step.byteCount, now: environment.scheduler.now)
      }
      let watchers = publish(step, arrivals)
      core.weight += weight
      core.block?.add(step)
      return (step, outcome, watchers)
    }
    for draft in step.moved { draft.instance.conclude(draft, step) }
    for watcher in watchers + step.takeWatchers() { watcher.revisionPublished() }
    for draft in step.moved { draft.instance.finish(draft, origin) }
    stateByteCount.store(step.memory.stateByteCount, ordering: .relaxed)
    appliedPosition.store(step.position, ordering: .releasing)
    return (outcome, step)
  }

  /// Shows what an input changed.
  ///
  /// - Returns: The watchers to notify.
  private func publish(_ step: Step, _ arrivals: Int) -> [any RevisionWatcher] {
    while true {
      let watchers = gate.publish(step.transaction, knowing: arrivals) {
        step.moved.flatMap { $0.instance.publish($0) }
      }
      if let watchers { return watchers }
      step.settle(hasArrivals: true)
    }
  }

  /// Runs a part of a reader between two inputs, which wait for it.
  ///
  /// - Precondition: The thread applies no input.
  func betweenInputs<Result: Sendable, Failure: Error>(
    _ read: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.withLock { _ throws(Failure) in try read() }
  }
}

/// The states between two inputs, for a journal.
extension Engine {
  /// The position and the time of the last input.
  var last: (position: Int, time: Timestamp) { core.withLock { ($0.position, $0.time) } }

  /// The position of the last input.
  package var position: Int { last.position }

  /// The weight of the inputs up to the last one; 0 if there is no journal.
  var weight: Int { core.withLock { $0.weight } }

  /// The states after the last input.
  ///
  /// - Precondition: No input is applied meanwhile.
  var moment: Moment {
    let (stores, hosts) = (self.stores, contents.hosts)
    return core.withLock { core in
      Moment(
        position: core.position, weight: core.weight, time: core.time, stores: stores,
        memory: core.memory,
        rests: hosts.reduce(into: [:]) { $0[$1.descriptor.name] = $1.allRests },
        heads: hosts.flatMap { $0.heads(atMost: Looks.limit) })
    }
  }

  /// Keeps the values of the stores from now on.
  func beginPast() {
    let (last, stores) = (last, stores)
    pastStores.withLock {
      $0 = PastStores(
        stores, at: last.position, now: environment.scheduler.now, limits: environment.logLimits)
    }
  }

  /// The last values of the stores; `nil` if there is no journal.
  var past: PastStores? { pastStores.withLock { $0 } }

  /// Sums up the inputs from now on.
  func beginBlocks() {
    core.withLock { $0.block = BlockDigest(after: $0.position) }
  }

  /// Returns the last block of inputs, once.
  func takeBlock() -> BlockDigest.Block? { core.withLock { $0.block?.take() } }

  /// Gives the tokens of another seed; `nil` gives those of this engine again.
  func giveTokens(of seed: [UInt8]?) {
    epochs.withLock { $0 = EpochSource(seed: seed ?? self.seed) }
  }

  /// Whether the engine goes on where its journal ends; `false` once it has started.
  package var isRestored: Bool { recovery.withLock { $0?.checkpoint != nil } }

  /// Whether the engine gives other tokens than the previous engine of its journal; `false` once it has started.
  package var hasNewTokens: Bool {
    recovery.withLock { $0?.record.map { $0.seed != seed } ?? false }
  }

  /// Whether the engine goes on with a value of the store that its journal has; `false` once it has started.
  package func hasRecorded(_ store: Text) -> Bool {
    recovery.withLock { $0?.checkpoint?.parts[Checkpoint.storePart(store)] != nil }
  }

  /// Takes what the journal has, once.
  func takeRecovery() -> Recovery? { recovery.withLock { $0.take() } }

  /// Goes on after the last input of a checkpoint, whose stores were taken over when they were added.
  func resume(_ record: EngineRecord, at mark: Checkpoint.Mark) {
    core.withLock {
      $0 = Core(
        position: mark.position, weight: mark.weight, time: record.time,
        memory: .init(outcomes: record.outcomes))
    }
    appliedPosition.store(mark.position, ordering: .releasing)
    gate.begin(with: record.settings, at: record.begun)
  }

  /// Notes the memory of the states that a checkpoint has given.
  func resume(stateByteCount: Int) {
    core.withLock { $0.memory.stateByteCount = stateByteCount }
    self.stateByteCount.store(stateByteCount, ordering: .relaxed)
  }

  /// Applies an entry of another server, or one of the past. Work is not started: its end is an entry too.
  func apply(
    _ input: some Input, _ entry: Entry, from origin: InputOrigin
  ) -> (outcome: any Sendable, moved: [Instance]) {
    let (outcome, step) = apply(input, at: entry.time, from: origin)
    return (outcome, step.moved.map(\.instance))
  }
}
