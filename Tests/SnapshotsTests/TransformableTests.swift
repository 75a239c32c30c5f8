import Snapshots
import TestSupport
import Testing

/// The operations that a transformation calls in its pass from left to right.
@Suite struct TransformableTests {
  struct Player: Identifiable, Equatable {
    let id: Character
    var score = 0
  }

  /// Records each operation and performs it.
  struct Recorder: Transformable {
    var log: [String] = []

    mutating func insert(_ new: Player, at newIndex: Int) {
      log.append("insert \(new.id) \(newIndex)")
    }

    mutating func delete(_ old: Player, at oldIndex: Int) {
      log.append("delete \(old.id) \(oldIndex)")
    }

    mutating func update(_ old: Player, at oldIndex: Int, to new: Player, at newIndex: Int) {
      log.append("update \(old.id) \(oldIndex) \(newIndex)")
    }
  }

  /// Updates a list by the operations alone.
  struct Mirror: Transformable {
    var players: [Player]
    private var shift = 0

    init(_ players: [Player]) { self.players = players }

    mutating func insert(_ new: Player, at newIndex: Int) {
      players.insert(new, at: newIndex)
      shift += 1
    }

    mutating func delete(_ old: Player, at oldIndex: Int) {
      precondition(players.remove(at: oldIndex + shift) == old)
      shift -= 1
    }

    mutating func update(_ old: Player, at oldIndex: Int, to new: Player, at newIndex: Int) {
      precondition(players[newIndex] == old && newIndex == oldIndex + shift)
      players[newIndex] = new
    }
  }

  private static func players(_ text: String) -> [Player] {
    text.map { Player(id: Character($0.lowercased()), score: $0.isUppercase ? 1 : 0) }
  }

  private static func log(from old: String, to new: String) -> [String] {
    var recorder = Recorder()
    recorder.transform(from: players(old), to: players(new))
    return recorder.log
  }

  @Test func `deletes have old positions, inserts new ones and updates both`() {
    #expect(
      Self.log(from: "abcd", to: "xaCde")
        == ["insert x 0", "delete b 1", "update c 2 2", "insert e 4"])
  }

  @Test(arguments: [
    ("", "", []), ("", "a", ["insert a 0"]), ("a", "", ["delete a 0"]), ("ab", "ab", []),
    ("a", "b", ["delete a 0", "insert b 0"]), ("abc", "cab", ["insert c 0", "delete c 2"]),
    ("ab", "bA", ["insert b 0", "update a 0 1", "delete b 1"]), ("aa", "a", ["delete a 1"]),
    ("a", "aa", ["insert a 1"]),
  ])
  func `a list becomes another one`(_ old: String, _ new: String, _ log: [String]) {
    #expect(Self.log(from: old, to: new) == log)
  }

  @Test func `performing the operations gives the new list`() throws {
    try withSeeds(500) { random in
      let old = Self.players(String("abcdefgh".shuffled(using: &random).prefix(5)))
      let new = Self.players(String("abcDEfgh".shuffled(using: &random).prefix(5)))
      var mirror = Mirror(old)
      mirror.transform(from: old, to: new)
      try require(mirror.players == new, "\(mirror.players) instead of \(new)")
    }
  }
}
