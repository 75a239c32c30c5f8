import CanonicalJSON
import Testing
import ViewDeltaTesting
import ViewState

@Suite("A command that throws")
struct StoreRefusalTests {
  private struct Shelf: Screen {
    struct State: ScreenState { var count = 0 }

    let store: Store<ResourceCollection<Note>>

    static let name: Text = "shelf"
    static let summary = "A shelf."
    static let add = Command<State, Text, ResourceID?>(
      "add", "Adds a note.", .text("title", 0...2_000), .optional(.id("number")))
    static let drop = Command<State, ResourceID>("drop", "Drops a note.", .id("note"))
    static let swap = Command<State, ResourceID, ResourceID>(
      "swap", "Drops two notes.", .id("one"), .id("other"))
    static let fail = Command("fail", "Fails.", .text("why")) { (_: inout State, why) in
      struct Other: Error {}
      switch why {
      case "refusal": throw Refusal("why", "because")
      case "store": throw StoreError.full
      case "argument": throw JSONShapeError(["why"], "is wrong")
      case "member": _ = try (JSONValue.object(["count": "x"])).decode(State.self)
      default: throw Other()
      }
    }

    var commands: [AnyCommand<State>] {
      Self.fail
      Self.add.writing(to: store) { _, title, number in
        .create(["id": number?.json ?? .null, "text": .string(title)])
      }
      Self.drop.writing(to: store) { _, id in .delete(id) }
      Self.swap.writing(to: store) { _, _, other in .delete(other) }
    }
  }

  @Test("is refused with a pointer to the argument at fault, or to the body if there is none")
  func pointers() async throws {
    let viewModel = try TestViewModel { engine in
      Shelf(store: Store("notes", try ResourceCollection<Note>("note", reading: nil), in: engine))
    }
    // What another view model shows is a change, too.
    #expect(try await viewModel.send(Shelf.add, "Milk", 7))
    let long = Text(String(repeating: "x", count: 1_001))
    for (body, pointer, message) in [
      (["type": "drop", "note": 9], "/note", "there is no such note"),
      (["type": "add", "title": "Tea", "number": 7], "/number", "the id 7 is in use"),
      (["type": "add", "title": .string(long)], "", "/text: "),
      (["type": "swap", "one": 7, "other": 8], "/type", "there is no such note"),
      (["type": "fail", "why": "refusal"], "/why", "because"),
      (["type": "fail", "why": "store"], "/type", "the store is full"),
      (["type": "fail", "why": "argument"], "/why", "is wrong"),
      (["type": "fail", "why": "member"], "", "/count: "),
      (["type": "fail", "why": "other"], "/type", "the command has failed: Other()"),
    ] as [(JSONValue, String, String)] {
      let refusal = await #expect(throws: Refusal.self) { try await viewModel.send(body) }
      #expect(refusal?.pointer.description == pointer)
      #expect(refusal?.message.hasPrefix(message) == true, "\(refusal?.message ?? "")")
    }
  }
}
