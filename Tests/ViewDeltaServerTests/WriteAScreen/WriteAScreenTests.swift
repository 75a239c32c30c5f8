import CanonicalJSON
import Foundation
import HTTPTypes
import MicroHTTP
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer
import ViewState

@Suite("The page on writing a screen")
struct WriteAScreenTests {
  @Test("shows the code that these tests compile, all of it")
  func code() throws {
    let folder = "Tests/ViewDeltaServerTests/WriteAScreen"
    let blocks = try Page("WriteAScreen").blocks
    let screen = try Page.text("\(folder)/GroceriesScreen.swift")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") && !$0.hasPrefix("///") }
      .joined(separator: "\n").trimmingCharacters(in: .newlines)
    #expect(blocks.dropLast().joined(separator: "\n\n") == screen)
    let test = try Page.text("\(folder)/WriteAScreenTests.swift")
    #expect(test.contains(try #require(blocks.last)))
  }

  /// Returns a backend with the groceries, by the one line of the article, and with other features.
  static func backend(
    @FeatureBuilder and others: () -> [any Feature] = { [] }
  ) throws -> Backend {
    try FeatureTests.backend {
      ScreenFeature(Groceries(), keys: .only(["home"]))
      others()
    }
  }

  private static let viewModel = "/v1/view-models/groceries/home"

  @Test("leads to a screen with snapshots, diffs and commands, by one line of registration")
  func works() async throws {
    let backend = try Self.backend()
    let listed = try await backend.get("/v1/view-models").json.member("screens").elements()
    #expect(try listed.map { try $0.member("keys").value } == [["only": ["home"]]])
    let start = try await backend.get(Self.viewModel).string("revision")
    for name in ["Bread", "Salt"] {
      let answer = await backend.call(
        .post, Self.viewModel + "/commands", body: ["type": "add", "name": .string(name)])
      #expect(answer.status == 200)
    }
    var replica = try Replica(document: await backend.get(Self.viewModel + "?at=\(start)").body)
    _ = try replica.apply(document: await backend.get(Self.viewModel + "/diff?since=\(start)").body)
    let rows = Array(replica.snapshot.sections[0].rows)
    #expect(rows.map(\.id) == ["item/1", "item/2"])

    // The row's own command, sent back unread.
    let action = try #require(rows[0].fields["action"])
    let since = try await backend.get(Self.viewModel).string("revision")
    let command = try JSONReader(action).member("command").value
    #expect(await backend.call(.post, Self.viewModel + "/commands", body: command).status == 200)
    let diff = await backend.get(Self.viewModel + "/diff?since=\(since)")
    #expect(diff.text.contains(#""set":{"isBought":true}"#))
  }

  @Test(
    "leads to refusals that name the member, and change nothing",
    arguments: [
      (["type": "buy", "item": 7], "/item"), (["type": "buy", "item": "x"], "/item"),
      (["type": "add", "name": ""], "/name"), (["type": "add"], "/name"),
      (["type": "eat"], "/type"), (["type": "clear", "all": true], "/all"),
    ] as [(JSONValue, String)])
  func refusals(command: JSONValue, pointer: String) async throws {
    let backend = try Self.backend()
    let before = await backend.get(Self.viewModel)
    let answer = await backend.call(.post, Self.viewModel + "/commands", body: command)
    #expect(answer.status == 422 && answer.pointer == pointer)
    #expect(await backend.get(Self.viewModel).body == before.body)
  }

  @Test("leads to a list that a client cannot make longer than 200 items")
  func limit() async throws {
    let backend = try Self.backend()
    let command: JSONValue = ["type": "add", "name": "Salt"]
    for _ in 1...200 {
      #expect(
        await backend.call(.post, Self.viewModel + "/commands", body: command).status == 200)
    }
    let answer = await backend.call(.post, Self.viewModel + "/commands", body: command)
    #expect(answer.status == 422 && answer.pointer == "/name")
  }

  @Test("leads to a command that has nothing to do, and says so")
  func ignored() async throws {
    let backend = try Self.backend()
    let answer = await backend.call(.post, Self.viewModel + "/commands", body: ["type": "clear"])
    #expect(answer.status == 200)
    #expect(try answer.json.member("accepted").bool() == false)
  }

  @Test("leads to a description with the commands")
  func description() async throws {
    let backend = try Self.backend()
    let answer = await backend.get("/v1/view-models/groceries")
    #expect(try answer.string("path") == "/v1/view-models/groceries/{household}")
    let commands = try answer.json.member("commands").elements()
    #expect(try commands.map { try $0.member("type").string() } == ["add", "buy", "clear"])
    #expect(await backend.get("/v1/view-models/profile").status == 404)
  }
}
