import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// `1` and `"1"` are one id, and JSON writes them differently.
@Suite("Ids that are equal and not the same")
struct EqualIDTests {
  static let member = RowType("member", of: ResourceID.self, "A member.") {
    Field("number", \ResourceID.self, ResourceID.valueType)
  }

  /// The members of a club, in order.
  struct Club: StoreValue {
    var members: [ResourceID]

    mutating func apply(
      _ members: [ResourceID], at time: Timestamp
    ) throws(StoreError) -> Written<Int> {
      self.members = members
      return Written(members.count, changing: ["all"], of: "members")
    }
  }

  struct ClubScreen: Screen {
    static let name: Text = "club"
    static let summary = "The members of a club."

    let store: Store<Club>

    var shownStores: [ShownStore] { [.whole(of: store)] }

    var rowTypes: [RowTypeDescriptor] { EqualIDTests.member }

    func initialState(for key: Text, in stores: Stores) -> [ResourceID] { stores[store].members }

    func body(_ members: [ResourceID]) -> [ListSection] {
      ListSection("members") { ForEach(members, as: EqualIDTests.member) { "member/\($0)" } }
    }
  }

  @Test("are alike only if they are written alike, alone and in what contains them")
  func alike() {
    let (number, text): (ResourceID, ResourceID) = (1, "1")
    #expect(number == text && !number.isAlike(to: text) && !text.isAlike(to: number))
    #expect(number.isAlike(to: number) && text.isAlike(to: text) && !number.isAlike(to: "2"))
    #expect(![2, number].isAlike(to: [2, text]) && [2, number].isAlike(to: [2, number]))
    let (failure, other) = (
      LoadFailure(code: "a", message: "A"), LoadFailure(code: "a", message: "B")
    )
    #expect(failure == other && !failure.isAlike(to: other) && failure.isAlike(to: failure))
    #expect(!Set([number]).isAlike(to: [text]) && !["a": number].isAlike(to: ["a": text]))
    #expect(
      !Optional(number).isAlike(to: text) && !KeyedSequence([number]).isAlike(to: .init([text])))
  }

  @Test("get rows of their own, in an array and in a keyed sequence")
  func rows() {
    func rows(_ ids: [ResourceID], _ cache: inout RowCache, _ list: ([ResourceID]) -> [RowPart])
      -> [JSONValue?]
    {
      let section = cache.section("s", list(ids))
      cache.endAssembly(of: try! Snapshot(states: [:], reusing: cache.snapshot) { section })
      return section.rows.map { $0.fields["number"] }
    }
    let lists: [([ResourceID]) -> [RowPart]] = [
      { ListBuilder.buildExpression(ForEach($0, as: Self.member) { "member/\($0)" }) },
      {
        ListBuilder.buildExpression(ForEach(KeyedSequence($0), as: Self.member) { "member/\($0)" })
      },
    ]
    for list in lists {
      var cache = RowCache()
      #expect(rows([1, "2", 3], &cache, list) == [1, "2", 3])
      #expect(rows(["1", 2, 3], &cache, list) == ["1", 2, 3])
      #expect(rows([3, 2, 1], &cache, list) == [3, 2, 1])
    }
  }

  @Test(
    "are shown as they are by each server, whenever it made the view model, and whoever has read it"
  )
  func servers() async throws {
    let histories: [[[ResourceID]]] = [
      [["1"]], [[], ["1"]], [[], [], [1], ["1", 2]], [["1"], [1]],
    ]
    for history in histories {
      for reads in [0..<0, 0..<1, 1..<4, 0..<4] {
        let engine = Engine.still()
        let store = Store("club", Club(members: [1]), in: engine)
        var registry = ScreenRegistry(engine)
        registry.register(ClubScreen(store: store), keys: [])
        let instance = try registry.instance(screen: "club", key: "all")
        for (step, members) in history.enumerated() {
          if reads.contains(step) { _ = instance.current.snapshot }
          try await store.write(members)
        }
        let shown = instance.current.snapshot.sections.flatMap(\.rows).map { $0.fields["number"] }
        #expect(shown == history.last?.map(\.json), "\(history), read before \(reads)")
      }
    }
  }
}
