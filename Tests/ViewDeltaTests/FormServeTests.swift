import CanonicalJSON
import TestSupport
import Testing

@Suite("A form that viewdelta serves")
struct FormServeTests {
  private static let viewModel = "/v1/view-models/form/1"

  @Test("is filled in, looked up, sent and seen in its activity, in the time that --latency gives")
  func whole() async throws {
    try await SocketThread.run {
      // Without latencies of their own its sources would take an hour.
      // The latency of all others may stand anywhere.
      let server = try ServeProcess(
        ["--load-timeout", "3600s"]
          + ["registry=1ms", "activity=1ms", "60m", "submission=1ms"].flatMap { ["--latency", $0] })
      let client = try server.client()
      let values: [(String, JSONValue)] = [
        ("name", "Ada"), ("email", "ada@example.org"), ("born", "1990-02-28"), ("agree", true),
        ("isFirm", true), ("taxNumber", "DE136695976"),
      ]
      for (row, value) in values {
        try Self.send(client, ["type": "didChange", "row": .string(row), "value": value])
      }
      _ = try client.settled(Self.viewModel)
      try Self.send(client, ["type": "didSelect", "row": "taxNumber/company/1"])
      try Self.send(client, ["type": "loadActivity"])
      _ = try client.settled(Self.viewModel)
      try Self.send(client, ["type": "didTap", "row": "send"])
      let shown = try client.settled(Self.viewModel)
      let states = try client.json(Self.viewModel).member("states").value
      #expect(states == ["activity": "loaded", "registry": "loaded", "submission": "loaded"])
      #expect(shown.text.contains(#""id":"submission/sent""#))
      #expect(shown.text.contains(#""id":"entry/58""#))
      let entry = try client.json("/v1/forms/1/entries/58").member("answers")
      #expect(try entry.member("firmName").string() == "Kornblume Mühle GmbH")
      // Not filled in: a phone number and an address are null, a text is empty.
      #expect(try entry.member("phone").isNull && entry.member("website").isNull)
      #expect(try entry.member("skills").string() == "")
    }
  }

  private static func send(_ client: SocketClient, _ command: JSONValue) throws {
    try client.send("POST", viewModel + "/commands", command)
  }
}
