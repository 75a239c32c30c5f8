import CanonicalJSON
import HTTPTypes
import Screens
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer
import ViewState

@Suite("A client of the form screen that is fed diffs only")
struct FormReplicaTests {
  private static let viewModel = FormEndpointTests.viewModel

  /// A value for each field of the demo that is right.
  static let right: [(Text, JSONValue)] = [
    ("name", "Ada"), ("email", "ada@example.org"), ("born", "1990-02-28"), ("agree", true),
  ]

  @Test("equals the snapshot byte for byte after every step of a random history")
  func convergence() async throws {
    try await withSeeds(8) { generator in
      let backend = try Backend(.forms) {
        $0.configuration.latencies = Latencies([
          "registry": .seconds(2), "activity": .seconds(1), "submission": .seconds(3),
        ])
      }
      var replica = try Replica(document: await backend.get(Self.viewModel).body)
      for _ in 0..<60 {
        try await Self.step(backend, replica, &generator)
        try await backend.follow(Self.viewModel, &replica)
      }
    }
  }

  @Test("fills in the whole form by the rows alone: their inputs, changes and actions")
  func dumb() async throws {
    let backend = try Backend(.forms)
    var sent = 0
    for (id, value) in Self.right {
      let row = try #require(try await backend.get(Self.viewModel).row(id))
      let change = try row.member("change")
      guard case .object(var command) = try change.member("command").value else { continue }
      command[try change.member("argument").string()] = value
      let answer = await FormEndpointTests.send(backend, .object(command))
      #expect(answer.status == 200)
      sent += 1
    }
    #expect(sent == Self.right.count)
    let button = try #require(try await backend.get(Self.viewModel).row("send"))
    let tap = try button.member("action").member("command").value
    #expect(await FormEndpointTests.send(backend, tap).status == 202)
    backend.scheduler.advance(by: .zero)
    #expect(try await backend.get(Self.viewModel).row("submission/sent") != nil)
  }

  /// One thing that a user, a developer or the time may do.
  private static func step(
    _ backend: Backend, _ replica: Replica, _ generator: inout SeededGenerator
  ) async throws {
    let rows = replica.snapshot.sections.flatMap { $0.rows.map(\.self) }
    switch generator.number(in: 0...11) {
    case 0...2:
      guard let row = rows.filter({ $0.fields["change"] != nil }).randomElement(using: &generator)
      else { return }
      let value = generator.pick(Self.values)
      await send(backend, ["type": "didChange", "row": .string(row.id), "value": value])
    case 3...4:
      guard let action = rows.compactMap({ $0.fields["action"] }).randomElement(using: &generator)
      else { return }
      await send(backend, try JSONReader(action).member("command").value)
    case 5: await send(backend, ["type": "didChange", "row": "isFirm", "value": true])
    case 6:
      let tax = JSONValue.string(generator.pick(["DE136695976", "DE115235681", "DE999999995", ""]))
      await send(backend, ["type": "didChange", "row": "taxNumber", "value": tax])
    case 7: await send(backend, ["type": "apply", "operations": [operation(&generator)]])
    case 8:
      let command = generator.pick(["loadActivity", "loadNextPage", "retryPage", "submit"])
      await send(backend, ["type": .string(command)])
    case 9:
      let source = generator.pick(["registry", "activity", "submission"])
      let outcome = JSONValue.string(generator.pick(["fail", "hang", "succeed"]))
      await backend.call(
        .put, "/v1/faults/\(source)/1", body: ["outcomes": .array([outcome])])
    case 10:
      for (id, value) in right {
        await send(backend, ["type": "didChange", "row": .string(id), "value": value])
      }
    default: backend.scheduler.advance(by: .milliseconds(generator.number(in: 0...4_000)))
    }
  }

  private static let values: [JSONValue] = [
    "", "x", "  Ada Lovelace ", true, false, "ada@example.org", "030 901820", "2000-01-01", "full",
    "north", .null, "7", "https://example.org", 3,
  ]

  private static func operation(_ generator: inout SeededGenerator) -> JSONValue {
    let known = [
      "name", "email", "tools", "forWood", "axe", "send", "n1", "n2", "taxNumber", "isFirm",
    ]
    let (row, other) = (
      JSONValue.string(generator.pick(known)), JSONValue.string(generator.pick(known))
    )
    let new: JSONValue = [
      "id": .string(generator.pick(["n1", "n2", "axe"])), "kind": "text", "label": "New",
    ]
    return switch generator.number(in: 0...8) {
    case 0: ["operation": "insertBefore", "row": row, "rows": [new]]
    case 1: ["operation": "insertAfter", "row": row, "rows": [new]]
    case 2: ["operation": "insertAtStart", "rows": [new], "group": "tools"]
    case 3: ["operation": "insertAtEnd", "rows": [new]]
    case 4: ["operation": "replace", "row": row, "with": new]
    case 5, 6: ["operation": "swap", "row": row, "other": other]
    case 7: ["operation": "remove", "ids": [row]]
    default: ["operation": "clear", "group": "forWood"]
    }
  }

  private static func send(_ backend: Backend, _ body: JSONValue) async {
    _ = await FormEndpointTests.send(backend, body)
  }
}
