import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// What a supervisor and a load balancer ask.
struct HealthEndpoints: Sendable {
  let readiness: Readiness

  func register(in router: inout Router) {
    let alive = Self.reply(["status": "ok"])
    let ready = Self.reply(["status": "ready"])
    router.get("/healthz") { _ in alive }
    router.get("/readyz") { (_) throws(ProblemDetails) in
      guard readiness.isReady else {
        throw ProblemDetails(
          status: .serviceUnavailable, code: "draining", detail: "the server is shutting down",
          fields: [.retryAfter: "1"])
      }
      return ready
    }
  }

  /// The reply whatever the client accepts: a supervisor is not to take 406 for an illness.
  private static func reply(_ status: JSONValue) -> Response {
    Response(
      status: .ok,
      fields: [
        .contentType: DocumentFormat.json.contentType, .cacheControl: Caching.never.rawValue,
      ], body: status.canonicalBytes())
  }
}
