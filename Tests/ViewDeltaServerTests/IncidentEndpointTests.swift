import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

@Suite("Over HTTP, the incidents of a view model")
struct IncidentEndpointTests {
  static func incidents(
    _ backend: Backend, of viewModel: String = Backend.viewModel
  ) async throws -> [JSONValue] {
    try await backend.get(viewModel + "/incidents").json.member("incidents").elements().map(\.value)
  }

  @Test("are a load that failed, and a result that came late, newest first")
  func lateResult() async throws {
    let backend = try Backend()
    #expect(
      await backend.get(Backend.viewModel + "/incidents").text
        == #"{"incidents":[],"screen":"profile/1"}"#)
    try await FaultEndpointTests.script(
      backend, "posts", ["outcomes": ["late", ["code": "fog", "detail": "No <b>view</b>."]]])
    await backend.send("loadPosts")
    backend.scheduler.advance(by: .seconds(10))
    let timedOut = try await backend.revision
    #expect(await backend.get(Backend.viewModel).text.contains(#""code":"timed-out""#))

    // The result of the first load comes after the second has started.
    await backend.send("loadPosts")
    let loading = try await backend.revision
    backend.scheduler.advance(by: .zero)
    // A thread of its own applies that result. This write comes behind it.
    await backend.call(.patch, "/v1/users/2", body: [:])
    #expect(try await backend.revision == loading)
    #expect(
      try await Self.incidents(backend) == [
        [
          "action": "loaded", "at": "2027-01-15T08:00:10Z", "code": "late", "kind": "transition",
          "detail": "A result came after another load had started. Nothing has changed.",
          "revision": .string(Text(loading)), "source": "posts", "state": "isLoading",
        ],
        [
          "at": "2027-01-15T08:00:10Z", "code": "timed-out", "kind": "loadFailure",
          "detail": "The source did not answer in time.", "revision": .string(Text(timedOut)),
          "source": "posts",
        ],
      ])

    backend.scheduler.advance(by: .seconds(4))
    await backend.call(.patch, "/v1/users/2", body: [:])
    let newest = try await Self.incidents(backend)[0]
    #expect(newest["code"] == "fog" && newest["detail"] == "No <b>view</b>.")
    #expect(
      await backend.get(Backend.viewModel).text.contains(
        #""code":"fog","detail":"No <b>view</b>.","id":"posts/error""#))
    #expect(try await Self.incidents(backend, of: "/v1/view-models/profile/2") == [])
  }

  @Test("list a view model that fails, without what is for the log alone, and go with their key")
  func absence() async throws {
    let fragile = try FailingScreenEndpointTests.backend()
    _ = await FailingScreenEndpointTests.set(1, to: FragileScreen.broken, in: fragile)
    let path = FailingScreenEndpointTests.path + "/1"
    #expect(await fragile.get(path).status == 500)
    let incident = try #require(try await Self.incidents(fragile, of: path).first)
    #expect(incident["kind"] == "assembly" && incident["revision"] != nil)
    #expect(incident["detail"]?.text?.contains("Broken") == false)

    let backend = try Backend()
    await backend.send("loadPosts")
    await backend.send("loadPosts")
    #expect(try await Self.incidents(backend).map { $0["code"] } == ["duplicate"])
    let answer = await backend.get(Backend.viewModel + "/incidents")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(try await answer["View-Revision"] == backend.revision)
    #expect(
      await backend.get(Backend.viewModel + "/incidents", [.accept: "text/html"]).status == 406)
    #expect(await backend.get("/v1/view-models/profile/99/incidents").code == "unknown-key")
    await backend.call(.delete, "/v1/users/1")
    #expect(await backend.get(Backend.viewModel + "/incidents").status == 410)
    await backend.call(.post, "/v1/users", body: ["id": 1, "username": "new"])
    #expect(try await Self.incidents(backend) == [])
  }
}
