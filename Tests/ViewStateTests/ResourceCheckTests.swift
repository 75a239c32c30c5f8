import CanonicalJSON
import Snapshots
import Testing
import ViewState

/// A time for which a room is taken.
private struct Slot: ChildResource {
  let id: ResourceID
  var from = 0
  var until = 0

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("from", \Slot.from), Field("until", \.until)]

  func check(among all: KeyedSequence<Slot>) throws(JSONShapeError) {
    if let other = all.first(where: { $0.id != id && $0.from < until && from < $0.until }) {
      throw JSONShapeError(["from"], "taken until \(other.until)")
    }
  }

  typealias Parent = Hall
  static let nouns: (parent: Text, child: Text) = ("hall", "slot")
  static let arrays: (parents: Text, children: Text) = ("halls", "slots")
}

private struct Hall: Resource {
  let id: ResourceID
  var name: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("name", \Hall.name)]

  struct Rejection: Error, CustomStringConvertible {
    let description = "no hall has the name ?"
  }

  func check(among all: KeyedSequence<Hall>) throws {
    if name == "?" { throw Rejection() }
    if all.contains(where: { $0.id != id && $0.name == name }) {
      throw JSONShapeError(["name"], "another hall has this name")
    }
  }
}

@Suite("A rule for a whole collection of resources")
struct ResourceCheckTests {
  private static let time = Timestamp(secondsSince1970: 0)
  private static let taken = StoreError.malformed(JSONShapeError(["from"], "taken until 9"))

  @Test("refuses each write that breaks it, without a change, and no other write")
  func writes() throws {
    var slots = ResourceCollection<Slot>("slot")
    for (from, until) in [(1, 5), (5, 9)] {
      _ = try slots.apply(
        .create(["from": .integer(from), "until": .integer(until)]), at: Self.time)
    }
    let before = slots
    var long = Slot(id: 1)
    (long.from, long.until) = (1, 6)
    for write in [
      .create(["from": 8, "until": 10]), .replace(long),
      .change(1, ResourceChange(.patch(["until": 6]))),
      .change(1, ResourceChange(.replace(["from": 1, "until": 6]))),
    ] as [ResourceCollection<Slot>.Write] {
      #expect(throws: Self.taken) { try slots.apply(write, at: Self.time) }
      #expect(slots == before)
    }
    _ = try slots.apply(.change(1, ResourceChange(.patch(["from": 2]))), at: Self.time)
    _ = try slots.apply(.move(2, .before(1)), at: Self.time)
    _ = try slots.apply(.delete(2), at: Self.time)
    _ = try slots.apply(.create(["from": 8, "until": 10]), at: Self.time)
    #expect(slots.elements.map(\.from) == [2, 8])
  }

  @Test("holds in a data file, whose place the error names")
  func file() throws {
    let array: JSONValue = [
      ["id": 1, "from": 1, "until": 5], ["id": "b", "from": 4, "until": 9],
    ]
    let file = try JSONReader(["slots": array]).member("slots")
    #expect(throws: JSONShapeError(["slots"], "the id 1: taken until 9 (/from)")) {
      try ResourceCollection<Slot>("slot", reading: file)
    }
  }

  @Test("holds for parents, and for the children of one parent")
  func nested() throws {
    typealias Halls = NestedCollection<Slot>
    var halls = Halls()
    for name in ["Blue", "Red"] {
      _ = try halls.apply(.parent(.create(["name": .string(Text(name))])), at: Self.time)
    }
    #expect(throws: StoreError.malformed(JSONShapeError(["name"], "another hall has this name"))) {
      try halls.apply(.parent(.create(["name": "Red"])), at: Self.time)
    }
    #expect(throws: StoreError.malformed(JSONShapeError([], "no hall has the name ?"))) {
      try halls.apply(.parent(.create(["name": "?"])), at: Self.time)
    }
    for hall in [1, 2] as [ResourceID] {
      _ = try halls.apply(
        .child(.create(["from": 1, "until": 9]), of: hall), at: Self.time)
    }
    #expect(throws: Self.taken) {
      try halls.apply(.child(.create(["from": 8, "until": 10]), of: 2), at: Self.time)
    }
    let slots: JSONValue = [["id": 1, "from": 1, "until": 5], ["id": 2, "from": 4, "until": 9]]
    for (file, message) in [
      (
        [["id": 1, "name": "A"], ["id": 2, "name": "A"]],
        "the id 1: another hall has this name (/name)"
      ),
      ([["id": 1, "name": "A", "slots": slots]], "the hall 1: the id 1: taken until 9 (/from)"),
    ] as [(JSONValue, String)] {
      let error = #expect(throws: JSONShapeError.self) {
        try Halls(reading: JSONReader(["halls": file]))
      }
      #expect(error?.message == message)
    }
  }
}
