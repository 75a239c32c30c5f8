import CanonicalJSON

/// The inputs after a checkpoint of another program that this program refuses when it applies them. The other program may
/// have accepted them: its journal has no outcomes.
struct RefusedInputs {
  /// The number of inputs, with those that are not refused.
  private var total = 0
  private var count = 0
  private var first = ""

  private static let longestReason = 300

  mutating func add(_ entry: Entry, _ outcome: any Sendable) {
    total += 1
    guard let refusal = ReplayedInput(entry, outcome, []).refusal else { return }
    count += 1
    if count > 1 { return }
    let reason = refusal.line(upTo: Self.longestReason)
    first = "at position \(entry.position), \(entry.loggedName): \(reason)"
  }

  /// The line for the log; `nil` if there are none.
  var warning: String? {
    if count == 0 { return nil }
    return """
      the last server of another build has not recorded its state at its end, so this build applies its last \(total) \
      inputs by its own rules, and refuses \(count): those that the other build had accepted are lost; the first is \
      \(first)
      """
  }
}
