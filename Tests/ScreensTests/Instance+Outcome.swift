import CanonicalJSON
import Snapshots
import TestSupport
import ViewState

extension Instance {
  /// Sends a command, and says in words what it does, nothing left out: `refused` with the place of the fault,
  /// `removed` where the instance has ended, `nothing`, or the operations of the difference that it makes.
  ///
  /// - Throws: `LawViolation` where the answer, the revisions and the difference do not agree.
  func outcome(of body: JSONValue) async throws -> String {
    let before = current
    let outcome: CommandOutcome
    do {
      outcome = try await send(body)
    } catch {
      try require(current.token == before.token, "\(body) is refused and changes something")
      switch error {
      case CommandFailure.refused(let refusal): return "refused \(refusal.pointer)"
      case CommandFailure.unavailable: return "removed"
      default: throw error
      }
    }
    let after = current
    try require(
      outcome.isAccepted == (after.token != before.token), "accepted means that something changed")
    let changes = try after.snapshot.provenDifference(from: before.snapshot)
    return outcome.isAccepted ? changes.allWords.joined(separator: ", ") : "nothing"
  }
}
