import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing

@Suite("A fault")
struct FaultEndpointTests {
  static func script(
    _ backend: Backend, _ source: String, _ script: JSONValue
  ) async throws {
    let answer = await backend.call(.put, "/v1/faults/\(source)/1", body: script)
    #expect(answer.status == 200)
  }

  @Test("is scripted, shown, used up and taken away")
  func life() async throws {
    let backend = try Backend()
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"succeed"}"#)
    try await Self.script(
      backend, "posts", ["outcomes": ["fail", "hang"], "latencyMilliseconds": 10])
    await backend.send("loadPosts")
    backend.scheduler.advance(by: .milliseconds(10))
    let states = try await backend.get(Backend.screen).json.member("states")
    #expect(try states.member("posts").string() == "failed")
    #expect(
      await backend.get("/v1/faults/posts/1").text
        == #"{"latencyMilliseconds":10,"outcomes":["hang"],"then":"succeed"}"#)
    #expect(await backend.call(.delete, "/v1/faults/posts/1").status == 204)
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"succeed"}"#)
  }

  @Test("of one half leaves the other alone")
  func independence() async throws {
    let backend = try Backend()
    try await Self.script(backend, "profile", ["then": "fail"])
    await backend.load()
    let states = try await backend.get(Backend.screen).json.member("states").value
    #expect(states == ["posts": "loaded", "profile": "failed"])
  }

  @Test("is 404 for an unknown source or user, and where the server does not allow faults")
  func absence() async throws {
    let backend = try Backend()
    for path in ["/v1/faults/likes/1", "/v1/faults/posts/99"] {
      #expect(await backend.get(path).status == 404)
      #expect(await backend.call(.put, path, body: [:]).status == 404)
      #expect(await backend.call(.delete, path).status == 404)
    }
    let closed = try Backend(allowsFaults: false)
    #expect(await closed.get("/v1/faults/posts/1").code == "not-found")
  }

  @Test("with a bad member is 422 and changes nothing")
  func refusal() async throws {
    let backend = try Backend()
    try await Self.script(backend, "posts", ["then": "fail"])
    let answer = await backend.call(.put, "/v1/faults/posts/1", body: ["then": "succeed", "x": 1])
    #expect(answer.status == 422)
    #expect(answer.pointer == "/x")
    #expect(await backend.get("/v1/faults/posts/1").text == #"{"outcomes":[],"then":"fail"}"#)
  }
}
