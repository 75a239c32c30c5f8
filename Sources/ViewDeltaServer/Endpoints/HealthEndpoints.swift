import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// What a supervisor and a load balancer ask.
struct HealthEndpoints: Sendable {
  let readiness: Readiness

  func register(in router: inout Router) {
    let alive = Response.json(["status": "ok"])
    let ready = Response.json(["status": "ready"])
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
}
