import CanonicalJSON
import ViewState

/// What a row has done outside of it while it takes an event.
struct RowContext: Sendable {
  /// The token used last by any row of the form.
  var newestToken: LoadToken
  /// The work that it starts and ends.
  var effects: [Effect<FormSource>] = []
  /// What it wants of the form.
  var requests: [Request] = []

  /// What a row can want of the form that it stands in.
  enum Request: Hashable, Sendable {
    /// Check all rows, and send the answers if they are right.
    case submit
    /// Start over.
    case reset
    /// Enter a text into another row.
    case fill(ResourceID, Text)
  }
}
