import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The operations of a list that is changed one by one.
@Suite struct TransformableListTests {
  struct Player: Identifiable, Equatable {
    let id: Text
    var score = 0
  }

  /// Implements the three operations alone, and records them.
  struct Recorder: TransformableList {
    var elements: [Player]
    var log: [String] = []

    mutating func insert(_ new: Player, at index: Int) {
      elements.insert(new, at: index)
      log.append("insert \(new.id) \(index)")
    }

    mutating func delete(_ old: Player, at index: Int) {
      elements.remove(at: index)
      log.append("delete \(old.id) \(index)")
    }

    mutating func update(_ old: Player, at oldIndex: Int, to new: Player, at index: Int) {
      elements[index] = new
      log.append("update \(old.id) \(index)")
    }
  }

  /// A list that is an object.
  final class Board: TransformableList {
    private(set) var elements: [Player] = []

    func insert(_ new: Player, at index: Int) { elements.insert(new, at: index) }
    func delete(_ old: Player, at index: Int) { elements.remove(at: index) }
    func update(_ old: Player, at oldIndex: Int, to new: Player, at index: Int) {
      elements[index] = new
    }
  }

  private static func players(_ text: String) -> [Player] {
    text.map { Player(id: Text($0.lowercased()), score: $0.isUppercase ? 1 : 0) }
  }

  @Test(arguments: [
    ("", "", []), ("ab", "ab", []), ("", "ab", ["insert a 0", "insert b 1"]),
    ("ab", "", ["delete b 1", "delete a 0"]),
    ("abcd", "xaCde", ["delete b 1", "insert x 0", "insert e 4", "update c 2"]),
    // A move deletes and inserts by default.
    ("abcd", "xdaC", ["delete b 1", "insert x 0", "delete d 3", "insert d 1", "update c 3"]),
    ("abc", "bcA", ["delete a 0", "insert a 2", "update a 2"]),
    ("aab", "ab", ["delete a 1"]), ("ab", "aab", ["insert a 1"]),
  ])
  func `three operations are enough`(_ old: String, _ new: String, _ log: [String]) {
    var recorder = Recorder(elements: Self.players(old))
    recorder.transform(to: Self.players(new))
    #expect(recorder.log == log)
    #expect(recorder.elements == Self.players(new))
  }

  @Test func `an object is a list, too`() {
    var board = Board()
    for players in ["abc", "cbA", "xcy", ""] {
      board.transform(to: Self.players(players))
      #expect(board.elements == Self.players(players))
    }
  }

  @Test func `each operation is valid at its moment, and no move is one too many`() throws {
    try withSeeds(600) { random in
      // Ids that Swift's strings take for equal are different.
      let ids = Self.ids.shuffled(using: &random)
      func list() -> [Player] {
        ids.shuffled(using: &random).prefix(random.number(in: 0...ids.count)).map {
          Player(id: $0, score: random.number(in: 0...1))
        }
      }
      let (old, new) = (list(), list())
      var list = CheckedList(old)
      list.transform(to: new)
      try list.check(new)

      let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
      let kept = new.compactMap { places[$0.id] }
      let moves = kept.count - NaiveSubsequence.length(of: kept.map(Int32.init))
      let updates = new.count { places[$0.id].map { place in old[place] } ?? $0 != $0 }
      try require(
        list.counts
          == [
            "delete": old.count - kept.count, "insert": new.count - kept.count, "move": moves,
            "update": updates,
          ]
          .filter { $0.value > 0 }, "\(list.counts)")

      var recorder = Recorder(elements: old)
      recorder.transform(to: new)
      try require(recorder.elements == new, "\(recorder.log) leads to \(recorder.elements)")
    }
  }

  @Test(arguments: [0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025])
  func `lists grow and shrink across all sizes`(_ size: Int) throws {
    try withSeeds(3) { random in
      let ids = (0..<(size + 40)).map { Text("\($0)") }
      var list = CheckedList<Player>()
      for count in [size, size + 1, max(0, size - 1), size + 40, size] {
        let new = ids.shuffled(using: &random).prefix(count).map {
          Player(id: $0, score: random.number(in: 0...1))
        }
        list.transform(to: new)
        try list.check(new)
      }
    }
  }

  @Test func `a row whose type changes is deleted and inserted`() throws {
    var list = CheckedList([Row(id: "a", type: "t"), Row(id: "b", type: "t")])
    let new = [Row(id: "b", type: "u"), Row(id: "a", type: "t", fields: ["x": 1])]
    list.transform(to: new)
    try list.check(new)
    #expect(list.counts == ["delete": 1, "insert": 1, "update": 1])
  }

  /// Ids of which some differ in their bytes alone.
  private static let ids: [Text] =
    ["a", "b", "\u{e9}", "e\u{301}", "K", "\u{212a}", ";", "\u{37e}", "", "0"]
    + (0..<20).map { "\($0)/x" }
}
