import CanonicalJSON
import MicroHTTP
import Screens

/// A source that can be made slow, fail or hang, key by key.
protocol FaultTarget: Sendable {
  /// The rest of the script for a key; `nil` where it has none.
  func faultScript(of key: Text) throws(ProblemDetails) -> FaultScript?

  /// Lets the source behave by a script from its next load on; `nil` ends that.
  func setFaultScript(_ script: FaultScript?, of key: Text) async throws(ProblemDetails)
}
