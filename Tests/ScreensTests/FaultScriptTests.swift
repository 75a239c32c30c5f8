import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("A fault script")
struct FaultScriptTests {
  @Test(
    "reads back what it writes",
    arguments: [
      [:], ["outcomes": ["fail", "hang", "succeed"]], ["then": "fail"],
      ["latencyMilliseconds": 1500, "outcomes": ["fail"], "then": "hang"],
      ["outcomes": ["late", ["code": "fog", "detail": "No view."]], "then": ["code": "fog"]],
    ] as [JSONValue])
  func roundTrip(json: JSONValue) throws {
    let script = try FaultScript(JSONReader(json))
    #expect(try FaultScript(JSONReader(script.json)) == script)
  }

  @Test("is written with the very latency that was read, whatever a double makes of its quotient")
  func latency() throws {
    for milliseconds in [0, 1, 302_777, 599_999, 600_000] + Array(300_000..<300_500) {
      let json: JSONValue = ["latencyMilliseconds": .integer(milliseconds)]
      let script = try FaultScript(JSONReader(json))
      try require(
        script.json.value(at: JSONPointer(tokens: ["latencyMilliseconds"]))
          == .integer(milliseconds),
        "\(milliseconds) ms is written as \(script.json)")
    }
  }

  @Test("has no latency that ends the process, and is not stored with one that is too long")
  func longLatency() {
    let script = FaultScript(latency: .seconds(Int64.max))
    #expect(script.json != FaultScript().json)
    #expect(throws: JSONShapeError.self) { try JSONValue(encoding: script) }
  }

  @Test(
    "is refused with the place of the fault",
    arguments: [
      ([], ""), (["latency": 1], "/latency"), (["latencyMilliseconds": -1], "/latencyMilliseconds"),
      (["latencyMilliseconds": 600_001], "/latencyMilliseconds"),
      (["latencyMilliseconds": "1s"], "/latencyMilliseconds"), (["outcomes": "fail"], "/outcomes"),
      (["outcomes": ["fail", "explode"]], "/outcomes/1"), (["then": "maybe"], "/then"),
      (["then": ["detail": "No code."]], "/then/code"), (["then": ["code": ""]], "/then/code"),
      (["then": ["code": "a", "why": "b"]], "/then/why"), (["then": 1], "/then"),
      (
        ["then": ["code": "a", "detail": .string(Text(String(repeating: "x", count: 1_001)))]],
        "/then/detail"
      ),
      (["outcomes": .array(Array(repeating: "fail", count: 1_001))], "/outcomes"),
    ] as [(JSONValue, String)])
  func refusal(json: JSONValue, pointer: String) throws {
    let error = try #require(throws: JSONShapeError.self) { _ = try FaultScript(JSONReader(json)) }
    #expect(error.pointer.description == pointer)
  }

  @Test("runs out: its outcomes come once each, in order, then the last word holds")
  func outcomes() async throws {
    let fixture = try ProfileFixture()
    try await fixture.faults.set(
      FaultScript(latency: .seconds(1), outcomes: [.fail, .succeed], then: .fail), for: "posts",
      of: "1")
    var seen: [Text?] = []
    for _ in 0..<4 {
      try await fixture.send("loadPosts")
      fixture.scheduler.advance(by: .seconds(1))
      seen.append(fixture.states["posts"])
    }
    #expect(seen == ["failed", "loaded", "failed", "failed"])
    #expect(fixture.faults.value["posts", "1"]?.outcomes == [])
    try await fixture.faults.set(nil, for: "posts", of: "1")
    #expect(fixture.faults.value["posts", "1"] == nil)
  }
}
