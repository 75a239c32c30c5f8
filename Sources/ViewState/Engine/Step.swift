import CanonicalJSON
import Snapshots

/// Something that can happen: a command, a write to a store, the end of a load.
protocol Input: Sendable {
  /// What the sender of the input gets to know.
  associatedtype Outcome: Sendable

  /// The instance or the store that the input is for.
  var subject: Text { get }

  /// Does what the input says, or nothing.
  func apply(in step: Step) -> Outcome

  /// The input as JSON, which ``Engine/input(_:)`` reads.
  func json() throws(JSONShapeError) -> JSONValue
}

/// One input on its way through the engine: the stores that it changes, and the instances that move.
///
/// Not `Sendable`, so that it cannot leave the thread that applies the input.
final class Step {
  var transaction: Transaction
  /// What the keys of requests remember.
  var outcomes: Outcomes
  /// Who sent the input.
  let by: Owner?
  /// The instances that may show something else, in the order in which the input met them.
  private(set) var moved: [any MovingInstance] = []
  private var known: Set<ObjectIdentifier> = []
  private let hosts: [any AnyScreenHost]
  private let watchdog: Watchdog

  init(
    _ transaction: Transaction, _ outcomes: Outcomes, by owner: Owner?,
    hosts: [any AnyScreenHost], _ watchdog: Watchdog
  ) {
    self.transaction = transaction
    self.outcomes = outcomes
    by = owner
    self.hosts = hosts
    self.watchdog = watchdog
  }

  var position: Int { transaction.position }
  var time: Timestamp { transaction.time }

  /// Adds the instance that the input is for.
  func move(_ instance: any MovingInstance) {
    if known.insert(ObjectIdentifier(instance)).inserted { moved.append(instance) }
  }

  /// Brings every instance that shows what the input changed up to date, and makes the revisions.
  ///
  /// - Parameter cause: The cause of the revision of the instance that the input is for.
  func settle(_ cause: RevisionCause? = nil) {
    for instance in moved where !instance.isSettled {
      watchdog.reach(instance.name)
      // A screen may show what its own input wrote.
      if let change = changes(shownBy: instance) { instance.follow(change, self) }
      instance.settle(cause, self)
    }
    for (store, change) in transaction.changes {
      for host in hosts {
        for instance in host.instances(showing: change, of: store, in: transaction.stores) {
          guard known.insert(ObjectIdentifier(instance)).inserted else { continue }
          moved.append(instance)
          watchdog.reach(instance.name)
          instance.follow(change, self)
          instance.settle(nil, self)
        }
      }
    }
  }

  private func changes(shownBy instance: any MovingInstance) -> StoreChange? {
    transaction.changes.first { instance.shows($0.change, of: $0.store) }?.change
  }
}

/// What a ``Step`` does with an instance.
protocol MovingInstance: KeptScreen {
  /// Whether the revision of the step is made, if there is one.
  var isSettled: Bool { get }
  /// Whether it shows something that a change of a store may have changed.
  func shows(_ change: StoreChange, of store: Int) -> Bool
  /// Takes over what a write changed.
  func follow(_ change: StoreChange, _ step: Step)
  /// Makes the revision of the step.
  func settle(_ cause: RevisionCause?, _ step: Step)
  /// Shows the revision to every reader; called under the gate.
  ///
  /// - Returns: The watchers to notify.
  func publish() -> [any RevisionWatcher]
  #if DEBUG
    /// What the input has made of it so far.
    var trace: StepTrace { get }
    /// Forgets what the input has made of it.
    func forget()
  #endif
  /// Takes itself out of reach if its key was removed; called before watchers are notified.
  func leave()
  /// Takes over what the input has made of it, and runs the effects; called last, without a lock.
  ///
  /// - Parameter startingWork: Whether effects are run; not if the inputs of another engine are replayed,
  ///   among which are the ends of its work.
  func finish(startingWork: Bool)
}

#if DEBUG
  /// What an input made of an instance.
  struct StepTrace: Equatable {
    let name: Text
    let revision: RevisionToken?
    let digest: Digest?
    let state: [UInt8]
    let effects: [String]
    let isRemoved: Bool
  }
#endif
