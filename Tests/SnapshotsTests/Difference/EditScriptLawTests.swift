import Snapshots
import TestSupport
import Testing

/// The laws for the difference of any two lists, checked against an oracle that is independent of
/// the engine.
@Suite struct EditScriptLawTests {
  @Test func `all permutations of up to seven rows`() throws {
    for count in 0...7 {
      for permutation in NaiveSubsequence.permutations(of: Array(0..<count)) {
        try TokenLists(Array(0..<count), permutation).checkLaws()
      }
    }
  }

  /// Other ids of the old rows give no other pairs.
  @Test func `all pairs of lists of up to four of five rows`() throws {
    for newCount in 0...4 {
      let permutations = NaiveSubsequence.permutations(of: Array(0..<5))
      for new in Set(permutations.map { Array($0.prefix(newCount)) }) {
        for count in 0...4 { try TokenLists(Array(0..<count), new).checkLaws() }
      }
    }
  }

  @Test(arguments: [Int.max, 7, 1])
  func `mutated lists, also if ids share a hash`(hashes: Int) throws {
    try withSeeds(300) { random in
      var lists = random.tokenLists()
      for section in lists.old.indices {
        for row in lists.old[section].indices { lists.old[section][row].hashes = hashes }
        for row in lists.new[section].indices { lists.new[section][row].hashes = hashes }
      }
      try lists.checkLaws()
    }
  }

  /// More leftovers than fit one cluster of the join, and fewer. Each hash is shared by one row, by
  /// three, or by a hundredth of all.
  @Test(arguments: [2_000, 17_000], [1, 3, 0.01])
  func `rows in any order, in few clusters and in many, also if ids share a hash`(
    count: Int, share: Double
  ) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let hashes = share < 1 ? Int(1 / share) : count / Int(share)
    let tokens = (0..<count).map { Token(id: $0, hashes: hashes) }
    var new = tokens.shuffled(using: &random)
    for row in new.indices where random.chance(0.1) {
      if random.chance(0.5) {
        new[row].content = 1
      } else {
        new[row] = Token(id: count + row, hashes: hashes)
      }
    }
    try TokenLists(old: [tokens], new: [new]).checkLaws()
  }

  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable ([Int], inout SeededGenerator) -> [Int]

    init(
      _ name: String, _ change: @escaping @Sendable ([Int], inout SeededGenerator) -> [Int]
    ) {
      testDescription = name
      self.change = change
    }
  }

  static let shapes: [Shape] = [
    Shape("reversed") { list, _ in list.reversed() },
    Shape("shuffled") { list, random in list.shuffled(using: &random) },
    Shape("two halves swapped") { list, _ in
      Array(list[(list.count / 2)...] + list[..<(list.count / 2)])
    },
    Shape("a block from the end to the front") { list, _ in
      Array(list.suffix(40) + list.dropLast(40))
    },
    Shape("blocks of 20 shuffled") { list, random in
      stride(from: 0, to: list.count, by: 20).map { list[$0..<min($0 + 20, list.count)] }
        .shuffled(using: &random).flatMap { $0 }
    },
    Shape("blocks of three reversed") { list, _ in
      stride(from: 0, to: list.count, by: 3).flatMap {
        list[$0..<min($0 + 3, list.count)].reversed()
      }
    },
    Shape("all replaced") { list, _ in list.map { $0 + list.count } },
    Shape("every second replaced") { list, _ in
      list.map { $0 % 2 == 0 ? $0 : $0 + list.count }
    },
    Shape("a long passage inserted before, and one row removed behind") { list, _ in
      (0..<100).map { $0 + list.count } + list.dropLast()
    },
    Shape("odd rows behind the even ones") { list, _ in
      list.filter { $0 % 2 == 0 } + list.filter { $0 % 2 == 1 }
    },
    Shape("emptied") { _, _ in [] },
  ]

  @Test(arguments: shapes)
  func `lists that are hard for one algorithm or another`(_ shape: Shape) throws {
    for count in [1, 2, 15, 16, 17, 33, 300] {
      var random = SeededGenerator(seed: UInt64(count))
      let list = Array(0..<count)
      try TokenLists(list, shape.change(list, &random)).checkLaws()
    }
  }

  @Test func `5,000 rows with 1,000 deleted, 1,000 inserted and 200 shuffled`() throws {
    var random = SeededGenerator(seed: 5_000)
    let list = Array(0..<5_000)
    var new = list
    let positions = Array(list.shuffled(using: &random).prefix(200))
    for (from, to) in zip(positions, positions.shuffled(using: &random)) { new[to] = list[from] }
    let gone = Set(list.shuffled(using: &random).prefix(1_000))
    new.removeAll(where: gone.contains)
    for id in 5_000..<6_000 { new.insert(id, at: random.number(in: 0...new.count)) }
    let lists = TokenLists(list, new)
    try lists.checkLaws()
    // Of 200 shuffled rows 160 are kept, and almost none of them stays by chance.
    #expect((2_140...2_180).contains(lists.editScript().operationCount))
  }

  @Test func `sections of which one row in a hundred changed, also across sections`() throws {
    var random = SeededGenerator(seed: 100)
    var lists = TokenLists(
      old: (0..<20).map { section in (0..<500).map { Token(id: section * 500 + $0) } }, new: [])
    lists.new = lists.old
    for edit in 0..<100 {
      let section = random.number(in: 0...19)
      let row = random.number(in: 0...(lists.new[section].count - 1))
      switch edit % 4 {
      case 0: lists.new[section][row].content = edit + 1
      case 1: lists.new[section].remove(at: row)
      case 2: lists.new[section].insert(Token(id: 10_000 + edit), at: row)
      default:
        let token = lists.new[section].remove(at: row)
        lists.new[random.number(in: 0...19)].insert(token, at: random.number(in: 0...400))
      }
    }
    try lists.checkLaws()
    // Each edit is one operation, except for the few edits that hit the same row.
    #expect((95...100).contains(lists.editScript().operationCount))
  }

  @Test func `repeated ids still give a script that leads to the target`() throws {
    let old = [1, 2, 2, 3, 1, 4].map { Token(id: $0) }
    let new = [2, 1, 1, 5, 2, 3, 3].map { Token(id: $0) }
    let script = TokenLists(old: [old], new: [new]).editScript()
    let arrivals = Set((script.inserts + script.moves.map(\.to)).map(\.row))
    let gone = Set((script.deletes + script.moves.map(\.from)).map(\.row))
    #expect(
      old.indices.filter { !gone.contains(Int32($0)) }.map { old[$0].id }
        == new.indices.filter { !arrivals.contains(Int32($0)) }.map { new[$0].id })
    #expect(script.moves.allSatisfy { old[Int($0.from.row)].id == new[Int($0.to.row)].id })
  }
}
