import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// Answers the health checks of supervisors and load balancers.
struct HealthEndpoints: Sendable {
  let room: WaitingRoom
  let engine: Engine

  func register(in router: inout Router) {
    let alive = Self.reply(["status": "ok"])
    let ready = Self.reply(["status": "ready"])
    let degraded = Self.reply(["status": "degraded"])
    // A supervisor may know only the address of the server, and a page of another site learns nothing here.
    router.get("/healthz", servesAnyHost: true) { _ in alive }
    router.get("/readyz", servesAnyHost: true) { (_) throws(ProblemDetails) in
      if room.isDraining { throw .shuttingDown() }
      switch engine.journalDoubt {
      case .behind:
        throw .notReady(code: "behind", "the server has not applied all changes of the journal")
      case .differs:
        throw .notReady(code: "differs", "the server may differ from others that share its journal")
      case nil: break
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

extension ProblemDetails {
  fileprivate static func notReady(code: String, _ detail: String) -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: code, detail: detail, fields: [.retryAfter: "1"])
  }
}
