import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Answers the health checks of supervisors and load balancers.
struct HealthEndpoints: Sendable {
  let readiness: Readiness
  let engine: Engine

  func register(in router: inout Router) {
    let alive = Self.reply(["status": "ok"])
    let ready = Self.reply(["status": "ready"])
    let degraded = Self.reply(["status": "degraded"])
    router.get("/healthz") { _ in alive }
    router.get("/readyz") { (_) throws(ProblemDetails) in
      guard readiness.isReady else {
        throw ProblemDetails(
          status: .serviceUnavailable, code: "draining", detail: "the server is shutting down",
          fields: [.retryAfter: "1"])
      }
      return engine.journalFailure == nil ? ready : degraded
    }
  }

  /// Returns a reply that ignores Accept: a supervisor would take a 406 for a failure.
  private static func reply(_ status: JSONValue) -> Response {
    Response(
      status: .ok,
      fields: [
        .contentType: DocumentFormat.json.contentType, .cacheControl: Caching.never.rawValue,
      ], body: status.canonicalBytes())
  }
}

/// Knows whether the server accepts new clients.
final class Readiness: Sendable {
  private let state = Atomic(true)

  var isReady: Bool { state.load(ordering: .relaxed) }

  /// Ends the readiness for good.
  func end() {
    state.store(false, ordering: .relaxed)
  }
}
