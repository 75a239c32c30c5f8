import Synchronization

/// Handles what happens to one or more screens, one turn at a time, and shows all that a turn
/// changed in one step.
///
/// Most screens have an owner each. Screens that one write moves together share that of their
/// `SharedStore`.
///
/// Three rules make it simple to see that nobody meets half a write and that nothing can deadlock:
/// a turn only prepares, and what it prepared is shown under the gate at its end; whoever reads
/// several screens at once reads under the gate too; and under the gate nothing runs but look-ups,
/// appends and assignments, no other gate is taken, and nobody is woken.
public final class SerialOwner: Sendable {
  private let mailbox = Mailbox<@Sendable (Turn) -> Void>()
  private let gate = Mutex<Void>(())

  /// An owner of nothing yet.
  public init() {}

  /// Queues a turn. Runs nothing and may be called under a lock; call `drain` without one.
  func post(_ work: @escaping @Sendable (Turn) -> Void) {
    mailbox.post(work)
  }

  /// Takes the turns that are queued, unless another thread is at it.
  func drain() {
    mailbox.drain { work in
      let turn = Turn(owner: self)
      work(turn)
      turn.end()
    }
  }

  /// Takes a turn after those that are queued.
  ///
  /// - Returns: what `work` returned, once all of the turn can be seen.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (Turn) -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      post { turn in
        let result = work(turn)
        turn.afterwards { continuation.resume(returning: result) }
      }
      drain()
    }
  }

  /// Runs a few reads or assignments while no turn comes to its end.
  func atGate<Result>(_ work: () -> Result) -> Result {
    gate.withLock { _ in work() }
  }
}
