import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The metrics")
struct MetricsTests {
  /// The values of a page by their names with labels.
  ///
  /// - Throws: An error if a line is not one of the text format, or a metric has no type before its values.
  private static func values(_ text: String) throws -> [String: Double] {
    var (values, types): ([String: Double], [String: String]) = ([:], [:])
    try require(text.hasSuffix("\n"), "the last line has no end")
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "#" {
        try require(["HELP", "TYPE"].contains(words[1]) && words.count > 3, "a comment: \(line)")
        if words[1] == "TYPE" { types[words[2]] = words[3] }
        continue
      }
      let name = String(words[0].prefix { $0 != "{" })
      let base = name.replacing(/_(bucket|sum|count)$/, with: "")
      let type =
        types[base] == "histogram" ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
      try require(types[type == "histogram" ? base : name] == type, "no type: \(line)")
      let value = words.count == 2 ? Double(words[1]) : nil
      guard let value else { throw LawViolation("no value: \(line)") }
      try require(values.updateValue(value, forKey: words[0]) == nil, "twice: \(line)")
    }
    return values
  }

  @Test("tell of inputs, waiting clients, states and incidents, without a server")
  func engine() async throws {
    let backend = try Backend()
    func values() async throws -> [String: Double] {
      let page = await backend.get("/metrics", [.accept: "text/html"])
      #expect(page.status == 200)
      #expect(page["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
      #expect(page["Cache-Control"] == "no-store")
      return try Self.values(page.text)
    }
    let before = try await values()
    #expect(before["viewdelta_clients_waiting"] == 0)
    #expect(before["viewdelta_http_connections"] == nil)
    #expect(before["viewdelta_journal_up"] == nil)
    await backend.load()
    let revision = try await backend.revision
    let poll = backend.poll("since=\(revision)&wait=20")
    await backend.call(.put, "/v1/faults/posts/1", body: ["then": "fail"])
    await backend.call(
      .post, "/v1/view-models/profile/1/commands", body: ["type": "reloadPosts"])
    let after = try await values()
    for name in [
      "viewdelta_inputs_total", "viewdelta_state_bytes", "viewdelta_history_bytes",
      "process_cpu_seconds_total",
    ] {
      #expect((after[name] ?? 0) > (before[name] ?? .infinity), "\(name)")
    }
    #expect(after["viewdelta_view_models"] == 1)
    #expect(after.keys.sorted() == before.keys.sorted())
    #expect(after["process_resident_memory_bytes"].map { $0 > 1_000_000 } == true)
    #expect(after["process_open_fds"].map { $0 > 2 } == true)
    poll.abandon()
  }

  @Test("count replies by the class of their status, under the same names but for codes")
  func server() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      backend.application.observe(live.server)
      let client = try live.client()
      func values() throws -> [String: Double] { try Self.values(client.get("/metrics").text) }
      let before = try values()
      #expect(before["viewdelta_http_connections"] == 1)
      #expect(before["viewdelta_http_requests_in_flight"] == 1)
      for number in 0..<20 {
        #expect(try client.get("/secret-\(number)?token=\(number)").status == 404)
      }
      let tag = try #require(try client.get(Backend.viewModel)["etag"])
      for _ in 0..<3 {
        #expect(try client.get(Backend.viewModel, fields: ["If-None-Match: \(tag)"]).status == 304)
      }
      let after = try values()
      func growth(_ digit: Int) -> Double? {
        let name = "viewdelta_http_replies_total{status=\"\(digit)xx\"}"
        return after[name].flatMap { value in before[name].map { value - $0 } }
      }
      #expect(growth(4) == 20)
      #expect(growth(3) == 3)
      #expect(growth(2) == 2)
      #expect(growth(5) == 0)
      let problem = "viewdelta_http_problems_total{code=\"not-found\"}"
      #expect(after[problem] == 20)
      #expect(after.keys.sorted() == (before.keys + [problem]).sorted())
    }
  }

  @Test("count problems by their codes, also of those that come before the handler")
  func problems() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      backend.application.observe(live.server)
      let client = try live.client()
      let json = ["Content-Type: application/json"]
      for _ in 0..<2 { #expect(try client.get("/v1/users?limit=none").status == 400) }
      #expect(try client.request("POST", "/v1/users", fields: json, body: "{").status == 400)
      #expect(try client.request("PUT", "/healthz", fields: json, body: "{}").status == 405)
      let foreign = try live.client().get("/v1/users", fields: ["Host: evil.example"])
      #expect(foreign.status == 403 && foreign.text.contains("the host evil.example"))
      let counts = try Self.values(try live.client().get("/metrics").text)
        .filter { $0.key.hasPrefix("viewdelta_http_problems_total") }
      #expect(
        counts
          == [
            "bad-query": 2, "bad-json": 1, "method-not-allowed": 1, "foreign-host": 1,
          ].reduce(into: [:]) {
            $0["viewdelta_http_problems_total{code=\"\($1.key)\"}"] = $1.value
          })
    }
  }

  @Test("have the durations of commands and writes, and not those of reads, polls and differences")
  func durations() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      backend.application.observe(live.server)
      let client = try live.client()
      let name = "viewdelta_http_write_duration_seconds"
      func values() throws -> [String: Double] {
        try Self.values(client.get("/metrics").text).filter { $0.key.hasPrefix(name) }
      }
      #expect(try Set(values().values) == [0])
      let json = ["Content-Type: application/json"]
      for (method, path, body, status) in [
        ("POST", Backend.viewModel + "/commands", #"{"type":"appear"}"#, 202),
        ("PATCH", "/v1/users/1", #"{"name":"Ada"}"#, 200),
        ("POST", "/v1/sync", #"{"screens":{"profile/1":{}}}"#, 200),
        ("POST", "/v1/differences", #"{"from":[],"to":[]}"#, 200),
        ("OPTIONS", "/v1/users", "", 204),
      ] {
        let reply = try client.request(
          method, path, fields: body.isEmpty ? [] : json, body: body)
        #expect(reply.status == status, "\(method) \(path): \(reply.text)")
      }
      #expect(try client.get(Backend.viewModel).status == 200)
      let after = try values()
      #expect(after["\(name)_count"] == 2)
      #expect(after["\(name)_bucket{le=\"+Inf\"}"] == 2)
      #expect(after["\(name)_sum"].map { $0 > 0 && $0 < 1_000 } == true)
      let buckets = after.compactMap { key, value in
        key.firstMatch(of: /le="([0-9.]+)"/).flatMap { Double($0.output.1) }.map { ($0, value) }
      }.sorted { $0.0 < $1.0 }
      #expect(buckets.count == 11 && buckets[0].0 == 0.0005 && buckets[10].0 == 5)
      #expect(zip(buckets, buckets.dropFirst()).allSatisfy { $0.1 <= $1.1 })
    }
  }
}
