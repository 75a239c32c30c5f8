import TestSupport
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

  @Test("is told to a supervisor that knows only the address of the server")
  func address() async throws {
    try await LiveServer.run(try Backend()) { live in
      for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/metrics", 403)] {
        let client = try live.client()
        try client.send("GET \(path) HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n")
        #expect(try client.readReply().status == status)
      }
    }
  }
}
