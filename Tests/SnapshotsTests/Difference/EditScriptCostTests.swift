import AllocationCounter
import Snapshots
import TestSupport
import Testing

/// The number of calls that the engine makes to the elements, which is the same on every machine,
/// unlike its time.
@Suite struct EditScriptCostTests {
  static let count = 100_000

  @Test func `one updated row of 100,000 is found without hashing an id`() {
    var new = Array(0..<Self.count).map { Token(id: $0) }
    new[50_000].content = 1
    let cost = Cost(from: Array(0..<Self.count), to: new)
    #expect(cost.operations == 1)
    #expect(cost.hashes == 0)
    #expect(cost.comparisons <= Self.count)
  }

  @Test func `one inserted or removed row of 100,000 is found without hashing an id`() {
    let list = Array(0..<Self.count)
    for position in [0, 50_000, Self.count - 1] {
      var shorter = list
      shorter.remove(at: position)
      for (old, new) in [(list, shorter), (shorter, list)] {
        let cost = Cost(from: old, to: new.map { Token(id: $0) })
        #expect(cost.operations == 1)
        #expect(cost.hashes == 0)
        #expect(cost.comparisons <= Self.count + 10)
      }
    }
  }

  @Test func `one moved row of 100,000 takes two hashes`() {
    var list = Array(0..<Self.count)
    list.insert(list.remove(at: 20_000), at: 70_000)
    let cost = Cost(from: Array(0..<Self.count), to: list.map { Token(id: $0) })
    #expect(cost.operations == 1)
    #expect(cost.hashes == 2)
    #expect(cost.comparisons <= Self.count + 20)
  }

  @Test func `the first of 10,000 rows moved to the end is one move`() {
    let cost = Cost(
      from: Array(0..<10_000), to: (Array(1..<10_000) + [0]).map { Token(id: $0) })
    #expect(cost.operations == 1)
    #expect(cost.hashes == 2)
  }

  @Test func `ten more rows at the start and one less at the end are found without hashing an id`()
  {
    let new = Array(Self.count..<(Self.count + 10)) + Array(0..<(Self.count - 1))
    let cost = Cost(from: Array(0..<Self.count), to: new.map { Token(id: $0) })
    #expect(cost.operations == 11)
    // The leftovers of both lists: the ten and the one.
    #expect(cost.hashes == 11)
    #expect(cost.comparisons <= Self.count + 100)
  }

  @Test(arguments: [0, count - 1_000])
  func `after a long passage the walk continues from an anchor`(start: Int) {
    let passage = 5_000
    let list = Array(0..<Self.count)
    let new = list[..<start] + (Self.count..<(Self.count + passage)) + list[start...].dropLast()
    let cost = Cost(from: list, to: new.map { Token(id: $0) })
    #expect(cost.operations == passage + 1)
    // The anchors, the passage in search of one, and the leftovers.
    #expect(cost.hashes <= (Self.count - start) / 16 + 2 * passage + 50)
    #expect(cost.comparisons <= Self.count + 1_000)
  }

  @Test func `scattered edits hash little more than the rows they touch`() {
    var random = SeededGenerator(seed: 5_000)
    let old = Array(0..<5_000)
    var new = old
    for position in old.indices.shuffled(using: &random).prefix(1_000).sorted(by: >) {
      new.remove(at: position)
    }
    for id in 5_000..<6_000 { new.insert(id, at: random.number(in: 0...new.count)) }
    let cost = Cost(from: old, to: new.map { Token(id: $0) })
    #expect(cost.operations == 2_000)
    // With a few random keys of many, a candidate has another hash, so that the old rows that are left are hashed again.
    #expect(cost.hashes <= 3_500)
    #expect(cost.comparisons <= 5 * old.count)
  }

  @Test(arguments: ["shuffled", "reversed", "replaced"])
  func `each id is hashed a few times if no order is left`(_ shape: String) {
    var random = SeededGenerator(seed: 7)
    let old = Array(0..<20_000)
    let new =
      switch shape {
      case "shuffled": old.shuffled(using: &random)
      case "reversed": Array(old.reversed())
      default: old.map { $0 + old.count }
      }
    let cost = Cost(from: old, to: new.map { Token(id: $0) })
    // Each once for the table, and some in an unsuccessful search for anchors.
    #expect(cost.hashes <= 2 * old.count + old.count / 16 + old.count / 8 + 1_100)
    #expect(cost.comparisons <= 5 * old.count)
  }

  @Test(
    .enabled(if: allocation_counter_is_available(), "a sanitizer has an allocator of its own"),
    arguments: ["shuffled", "reversed", "blocks", "replaced", "scattered", "moved"])
  func `a difference takes at most 60 bytes of scratch for each row`(_ shape: String) {
    var random = SeededGenerator(seed: 60)
    let old = Array(0..<20_000)
    var new = old
    switch shape {
    case "shuffled": new.shuffle(using: &random)
    case "reversed": new.reverse()
    case "blocks":
      new = stride(from: 0, to: old.count, by: 100).shuffled(using: &random)
        .flatMap { old[$0..<($0 + 100)] }
    case "replaced": new = old.map { $0 + old.count }
    case "scattered": for row in stride(from: 0, to: new.count, by: 5) { new[row] += old.count }
    default: new.append(new.removeFirst())
    }
    // The benchmark checks the number of allocations: only optimised code has few.
    let bytes = Self.peakBytes(from: old.map { Token(id: $0) }, to: new.map { Token(id: $0) })
    #expect((1...(60 * old.count)).contains(bytes))
  }

  /// Returns the largest number of bytes that a difference holds at one time, including its
  /// operations.
  private static func peakBytes(from old: [Token], to new: [Token]) -> Int {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let start = ElementPosition(section: 0, row: 0)
        allocation_counter_start()
        let script = EditScript(
          runs: [ElementRun(oldStart: start, newStart: start, old: old, new: new)])
        let counts = allocation_counter_stop()
        return withExtendedLifetime(script) { counts.peakBytes }
      }
    }
  }

  /// The number of calls during one difference.
  private struct Cost {
    let operations: Int
    let hashes: Int
    let comparisons: Int

    init(from old: [Int], to new: [Token]) {
      let counter = Token.Counter()
      var lists = TokenLists(old: [old.map { Token(id: $0, counter: counter) }], new: [new])
      for row in new.indices { lists.new[0][row].counter = counter }
      operations = lists.editScript().operationCount
      hashes = counter.hashes
      comparisons = counter.comparisons
    }
  }
}
