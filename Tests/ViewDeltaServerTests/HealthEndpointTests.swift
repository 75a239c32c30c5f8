import Testing
import ViewDeltaServer

@Suite("Health")
struct HealthEndpointTests {
  @Test("is alive and ready, and no longer ready once the server drains")
  func health() async throws {
    let backend = try Backend()
    #expect(await backend.get("/healthz").status == 200)
    #expect(await backend.get("/readyz").status == 200)
    backend.application.beginDraining()
    let draining = await backend.get("/readyz")
    #expect(draining.status == 503)
    #expect(draining.code == "shutting-down")
    #expect(draining["Retry-After"] == "1")
    #expect(await backend.get("/healthz").status == 200)
  }
}
