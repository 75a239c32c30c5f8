import CanonicalJSON
import OrderedCollections
import Snapshots

/// An input of the engine: a command, a write to a store, or the end of a load.
protocol Input: Sendable {
  /// The answer to the sender of the input.
  associatedtype Outcome: Sendable

  /// The instance or the store that the input is for, as it is logged.
  var subject: Text { get }

  /// Applies the input.
  func apply(in step: Step) -> Outcome

  /// The input as JSON, which ``EngineContents/input(_:)`` reads.
  func json() throws(JSONShapeError) -> JSONValue

  /// The estimated memory of what the input brings, in bytes; that of its JSON, unless defined.
  var memoryByteCount: Int { get }

  /// The outcome if a journal cannot record the input now, so that it is not applied; `nil`, unless defined, if the
  /// input waits until it is recorded.
  var notRecorded: Outcome? { get }

  /// The outcome if it is not known in time whether a journal has recorded the input; `nil`, unless defined, if the
  /// sender waits until it is known.
  var unconfirmed: Outcome? { get }
}

extension Input {
  var memoryByteCount: Int { (try? json())?.memoryByteCount ?? 0 }
  var notRecorded: Outcome? { nil }
  var unconfirmed: Outcome? { nil }
}

/// An input whose sender waits for the outcome. It gets one in time, whatever happens to a journal.
protocol RequestInput: Input where Outcome == Result<Success, Failure> {
  associatedtype Success: Sendable
  associatedtype Failure: KeyRefusal
}

extension RequestInput {
  var notRecorded: Outcome? { .failure(.notRecorded) }
  var unconfirmed: Outcome? { .failure(.unconfirmed) }
}

/// The place that an input comes from.
package enum InputOrigin {
  /// This engine, which starts the work that the input asks for.
  case here
  /// Another server, which starts the work. This one takes it over if it does not end.
  case elsewhere
  /// The entries of a journal, in which the ends of work are inputs too.
  case past
  /// The entries of a journal of another program, which this one applies by its own rules.
  case former
}

/// What an engine remembers of inputs besides stores and states.
struct EngineMemory: Equatable, Sendable {
  /// The outcomes that the keys of requests have.
  var outcomes = Outcomes()
  /// The estimated memory of the states that inputs have given to view models, in bytes.
  var stateByteCount = 0
}

/// The application of an input: the stores that it changes, and the instances that it may change.
///
/// Not `Sendable`, so that it cannot leave the thread that applies the input.
final class Step {
  var transaction: Transaction { didSet { initialViews = [:] } }
  var memory: EngineMemory
  /// The estimated memory of what the input brings, in bytes.
  private(set) lazy var byteCount = measure()
  private let measure: () -> Int
  /// The drafts by the identifiers of their instances.
  private var drafts: OrderedDictionary<ObjectIdentifier, InstanceDraft> = [:]
  /// The number of changes of stores of which all instances were found.
  private var swept = 0
  /// The number of view models whose states the input changes.
  private(set) var changedCount = 0
  /// What the sessions of an element show that have no state of their own, as the stores are now.
  private var initialViews: [InitialView.Key: InitialView] = [:]
  let origin: InputOrigin
  private let hosts: [ScreenHost]
  private let watchdog: Watchdog

  init(
    _ input: some Input, _ transaction: Transaction, _ memory: EngineMemory,
    from origin: InputOrigin, hosts: [ScreenHost], _ watchdog: Watchdog
  ) {
    self.origin = origin
    measure = { input.memoryByteCount }
    self.transaction = transaction
    self.memory = memory
    self.hosts = hosts
    self.watchdog = watchdog
  }

  /// The drafts of the instances that may show a change, in the order in which the input reached these.
  var moved: some RandomAccessCollection<InstanceDraft> { drafts.values }

  var position: Int { transaction.position }
  var time: Timestamp { transaction.time }

  /// Removes the watchers of the keys to which the input may have given view models, and returns them. Called when
  /// readers find these.
  func takeWatchers() -> [any RevisionWatcher] {
    transaction.changes.flatMap { store, change in
      hosts.flatMap { $0.takeWatchers(awaiting: change, of: store) }
    }
  }

  /// Returns the state that the screen of an instance gives its key; to all sessions of an element the same one.
  ///
  /// - Throws: `ScreenLookupError` if the screen has no such element.
  func initialState(of instance: Instance) throws(ScreenLookupError) -> AnyState {
    let key = InitialView.Key(instance)
    if let key, let known = initialViews[key] { return known.state }
    let state = try instance.screen.initialState(for: instance.key.element, in: transaction.stores)
    if let key { initialViews[key] = InitialView(state: state) }
    return state
  }

  /// Lays out a state of an instance; one that several sessions have only once.
  ///
  /// - Throws: The error of the screen's code.
  func assemble(_ state: AnyState, of instance: Instance) throws -> Snapshot {
    let key = InitialView.Key(instance)
    let isInitial = key.flatMap { initialViews[$0] }?.state.isIdentical(to: state) == true
    if let key, isInitial, let rows = initialViews[key]?.rows {
      instance.rows.take(rows, at: position)
      return rows.snapshot
    }
    let rows = try instance.rows.assemble(state, at: position, by: instance.screen)
    if let key, isInitial { initialViews[key]?.rows = rows }
    return rows.snapshot
  }

  /// Adds the draft of the instance that the input is for.
  func add(_ draft: InstanceDraft) { drafts[ObjectIdentifier(draft.instance)] = draft }

  /// Updates all instances that show the changes of the input, and makes their revisions.
  ///
  /// - Parameters:
  ///   - cause: The cause of the revision of the instance that the input is for.
  ///   - hasArrivals: Whether instances may have been added since the last call.
  func settle(_ cause: RevisionCause? = nil, hasArrivals: Bool = false) {
    if hasArrivals { swept = 0 }
    let changes = transaction.changes
    for (store, change) in changes[swept...] {
      for host in hosts {
        for instance in host.instances(showing: change, of: store, in: transaction.stores) {
          let id = ObjectIdentifier(instance)
          if drafts[id] == nil { drafts[id] = InstanceDraft(of: instance) }
        }
      }
    }
    swept = changes.count
    for draft in moved where !draft.isSettled {
      watchdog.reach(draft.instance.loggedName)
      draft.follow(changes, self)
      draft.compare()
    }
    changedCount = drafts.values.count { $0.isMoved }
    for draft in moved where !draft.isSettled {
      watchdog.reach(draft.instance.loggedName)
      draft.settle(cause, self)
    }
  }
}

/// What the sessions of an element show that have no state of their own.
private struct InitialView {
  struct Key: Hashable {
    let host: ObjectIdentifier
    let element: Text

    /// `nil` if the instance belongs to no session.
    init?(_ instance: Instance) {
      guard instance.key.hasSession else { return nil }
      (host, element) = (ObjectIdentifier(instance.host), instance.key.element)
    }
  }

  let state: AnyState
  /// The rows of this state, once one was laid out.
  var rows: RowCache?
}
