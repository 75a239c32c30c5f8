import CanonicalJSON
import Synchronization

extension Interactor {
  /// Runs a command after everything that came before it.
  ///
  /// - Throws: `CommandFailure`; nothing has changed then.
  public func send(
    _ command: Command, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome {
    do { try command.check(against: commands) } catch { throw .refused(error) }
    return try await owner.run { [self] turn in
      Result { () throws(CommandFailure) in try run(command, expecting: expected, in: turn) }
    }.get()
  }

  /// Decides what the command stands for on the state that it meets, and does it, in one turn.
  private func run(
    _ command: Command, expecting expected: Set<RevisionToken>?, in turn: Turn
  ) throws(CommandFailure) -> CommandOutcome {
    let core = core.withLock { $0 }
    if core.isRemoved { throw .removed }
    let token = core.head.token
    if let expected, !expected.contains(token) { throw .outdated(current: token) }
    setCommand(command)
    defer { setCommand(nil) }
    let outcomes: [StepOutcome]
    var details: [Text: JSONValue] = [:]
    do throws(CommandRefusal) {
      switch try screen.plan(command, in: core.state) {
      case .steps(let actions): outcomes = actions.map { step($0, in: turn) }
      case .write(let write):
        precondition(write.owner === owner, "a screen has the owner of the store that it writes")
        let written = try write.prepare(turn)
        outcomes = [StepOutcome(isAccepted: written.isChange)]
        details = written.details
      }
    } catch {
      throw .refused(error)
    }
    return CommandOutcome(
      isAccepted: outcomes.contains(where: \.isAccepted),
      isPending: outcomes.contains(where: \.isPending), revision: self.core.withLock { $0.head },
      details: details)
  }

  private func setCommand(_ command: Command?) {
    core.withLock { $0.command = command }
  }
}
