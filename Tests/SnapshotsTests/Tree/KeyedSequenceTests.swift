import Foundation
import TestSupport
import Testing

@testable import Snapshots

/// A persistent list with unique ids, compared with an array after the same changes.
@Suite struct KeyedSequenceTests {
  struct Item: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    var version = 0
  }

  /// Performs one random operation on a sequence and on an array of the same content.
  static func step(
    _ sequence: inout KeyedSequence<Item>, _ array: inout [Item], _ random: inout SeededGenerator
  ) {
    // With few ids, an operation finds its id in the list about half of the time.
    let item = Item(
      id: random.number(in: 0...max(8, array.count * 2)), version: random.number(in: 0...3))
    let known = array.firstIndex { $0.id == item.id }
    switch random.number(in: 0...7) {
    case 0:
      sequence.remove(id: item.id)
      if let known { array.remove(at: known) }
    case 1, 2:
      sequence.append(item)
      if let known { array[known] = item } else { array.append(item) }
    case 3:
      if let known { array.remove(at: known) }
      let position = random.number(in: 0...array.count)
      array.insert(item, at: position)
      sequence.insert(item, at: position)
    case 4 where !array.isEmpty:
      let from = random.number(in: 0...array.count - 1)
      let to = random.number(in: 0...array.count - 1)
      sequence.move(id: array[from].id, to: to)
      array.insert(array.remove(at: from), at: to)
    case 5:
      sequence[id: item.id]?.version += 1
      if let known { array[known].version += 1 }
    case 6 where !array.isEmpty:
      let place = random.number(in: 0...array.count - 1)
      sequence[id: array[place].id] = item
      array[place] = item
      if let known, known != place { array.remove(at: known) }
    default:
      sequence[id: item.id] = nil
      if let known { array.remove(at: known) }
    }
  }

  /// Checks that a sequence has the elements of an array, and finds them by id.
  static func compare(_ sequence: KeyedSequence<Item>, _ array: [Item]) throws {
    try require(
      Array(sequence) == array && sequence.count == array.count, "\(Array(sequence)), not \(array)")
    for (position, item) in array.enumerated() {
      try require(
        sequence.index(of: item.id) == position && sequence[position] == item
          && sequence[id: item.id] == item && sequence.contains(id: item.id),
        "\(item) is not found at \(position)")
    }
    let other = array.count * 10 + 100
    try require(
      sequence.index(of: other) == nil && sequence[id: other] == nil
        && !sequence.contains(id: other), "what is not there is found")
    // One leaf is searched without tables.
    let tables = sequence.base.tables.known
    try require(
      (tables == nil) == (sequence.base.slots.singleLeaf != nil), "made needlessly, or not")
    guard let tables else { return }
    try require(tables.leaves.entries.count == array.count, "the table has other ids")
    let nodes = TreeAlignment(from: PersistentSequence(), to: sequence.base.slots).newOnly
    try require(tables.parents.entries.count == nodes.count - 1, "the table has other nodes")
  }

  @Test func `a sequence and an array agree after each of thousands of operations`() throws {
    try withSeeds(12) { random in
      var array = (0..<random.pick([0, 5, 31, 32, 33, 120])).map { Item(id: $0) }
      var sequence = KeyedSequence(array)
      for _ in 0..<60 {
        let (before, old) = (sequence, array)
        Self.step(&sequence, &array, &random)
        try Self.compare(sequence, array)
        try require(Array(before) == old, "the sequence before has changed")
        try require((sequence == before) == (array == old), "equal to another sequence")
      }
    }
  }

  @Test func `changes turn an earlier version into a later one`() throws {
    try withSeeds(60) { random in
      var array = (0..<random.pick([3, 40, 400])).map { Item(id: $0) }
      var sequence = KeyedSequence(array)
      let (earlier, old) = (sequence, array)
      for _ in 0..<random.number(in: 0...30) { Self.step(&sequence, &array, &random) }
      for (from, to) in [(earlier, sequence), (sequence, earlier), (KeyedSequence(old), sequence)] {
        var result = Array(from)
        for change in to.base.changes(since: from.base).reversed() {
          result.replaceSubrange(change.old, with: to.elements(in: change.new))
        }
        try require(result == Array(to), "the changes lead elsewhere")
      }
      try require(sequence.base.changes(since: sequence.base).isEmpty, "a change of nothing")
    }
  }

  @Test func `each insertion keeps the sequence sorted`() throws {
    try withSeeds(8) { random in
      var sequence: KeyedSequence<Item> = []
      var array: [Item] = []
      for _ in 0..<100 {
        let item = Item(id: random.number(in: 0...60), version: random.number(in: 0...9))
        sequence.insert(item) { ($0.version, $0.id) < ($1.version, $1.id) }
        array.removeAll { $0.id == item.id }
        array.append(item)
        array.sort { ($0.version, $0.id) < ($1.version, $1.id) }
        try Self.compare(sequence, array)
      }
    }
  }

  @Test func `an element that changes keeps its place among others of the same rank`() throws {
    let items = (0..<100).map { Item(id: $0, version: $0 / 10) }
    for item in items {
      var sequence = KeyedSequence(items)
      sequence.insert(item) { $0.version < $1.version }
      try Self.compare(sequence, items)
    }
    // One that leaves its rank goes elsewhere.
    var sequence = KeyedSequence(items)
    sequence.insert(Item(id: 7, version: 5)) { $0.version < $1.version }
    #expect(sequence.index(of: 7) == 49)
  }

  @Test func `the last of several elements with the same id replaces the first`() throws {
    let sequence: KeyedSequence = [Item(id: 1), Item(id: 2), Item(id: 1, version: 7)]
    try Self.compare(sequence, [Item(id: 1, version: 7), Item(id: 2)])
  }

  @Test func `equal elements stay shared`() {
    let sequence = KeyedSequence((0..<1_000).map { Item(id: $0) })
    var other = sequence
    other[id: 500] = Item(id: 500)
    other.append(Item(id: 3))
    other.move(id: 7, to: 7)
    #expect(other.base.slots.isIdentical(to: sequence.base.slots))
  }

  @Test(arguments: [1_000, 40_000])
  func `one change costs the path to its leaf`(count: Int) {
    let old = KeyedSequence((0..<count).map { Item(id: $0) })
    var new = old
    new[id: count / 2]?.version = 1
    new.insert(Item(id: -1), at: 0)
    new.remove(id: count - 1)
    let alignment = TreeAlignment(from: old.base.slots, to: new.base.slots)
    let height = old.base.slots.root?.height ?? 0
    #expect(alignment.oldOnly.count + alignment.newOnly.count <= 6 * (height + 1) + 2)
    let changes = new.base.changes(since: old.base)
    #expect(changes.map(\.old) == [0..<0, count / 2..<count / 2 + 1, count - 1..<count])
    #expect(changes.map(\.new.count) == [1, 1, 0])
  }

  @Test func `a sequence is encoded as an array, and decoded unless an id is repeated`() throws {
    let sequence: KeyedSequence = [Item(id: 2), Item(id: 1, version: 3)]
    let encoded = try JSONEncoder().encode(sequence)
    #expect(try JSONDecoder().decode([Item].self, from: encoded) == Array(sequence))
    #expect(try JSONDecoder().decode(KeyedSequence<Item>.self, from: encoded) == sequence)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        KeyedSequence<Item>.self, from: Data(#"[{"id":1,"version":0},{"id":1,"version":0}]"#.utf8))
    }
  }
}
