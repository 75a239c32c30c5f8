import Snapshots
import TestSupport

/// Two lists of sections, and the budgets for finding their difference.
struct Workload: Sendable {
  /// The budgets as multiples of the time of one hashing pass; `nil` if there is none.
  struct Budgets: Sendable {
    var fresh: Double?
    var known: Double?
  }

  let name: String
  let old: [[Item]]
  let new: [[Item]]
  let budgets: Budgets
  /// Whether the number of rows times the number of changes is so small that a quadratic algorithm
  /// takes seconds.
  let isSmall: Bool

  init(
    _ name: String, old: [[Item]], new: [[Item]], budgets: Budgets = Budgets(),
    isSmall: Bool = false
  ) {
    self.name = name
    self.old = old
    self.new = new
    self.budgets = budgets
    self.isSmall = isSmall
  }
}

/// An element of the workloads: matched by id, compared by payload.
struct Item: Hashable, Sendable {
  var id: String
  var payload: String
}

/// The id of an item is hashed when the engine asks for the hash, within the measured run.
extension Item: DifferenceElement {
  func isSameItem(as other: Item) -> Bool { id == other.id }

  func hasSameContent(as other: Item) -> Bool { payload == other.payload }

  /// Strings with the same bits are equal: short ones contain their text, others point to its
  /// storage.
  func isIdentical(to other: Item) -> Bool {
    let bits = unsafeBitCast(self, to: SIMD4<UInt64>.self)
    let otherBits = unsafeBitCast(other, to: SIMD4<UInt64>.self)
    return bits == otherBits
  }

  var identityByte: UInt8 { FoldedHash.ends(of: id) }

  func identityHash(key: UInt64) -> UInt64 { FoldedHash.hash(id, key: key) }
}

/// The lists that workloads consist of.
extension Workload {
  /// Returns items with the numbers in a range.
  static func items(_ numbers: Range<Int>) -> [Item] {
    numbers.map { Item(id: "post/\($0)", payload: "The post number \($0) of many") }
  }

  /// Returns the same list built again, as by a screen that is laid out from scratch: no id is
  /// shared.
  static func rebuilt(_ items: [Item]) -> [Item] {
    items.map { Item(id: String(decoding: Array($0.id.utf8), as: UTF8.self), payload: $0.payload) }
  }

  /// Returns a list with elements shuffled, deleted and inserted, all at random positions.
  static func scattered(
    _ items: [Item], shuffled: Int, deleted: Int, inserted: Int, random: inout SeededGenerator
  ) -> [Item] {
    var result = items
    let positions = Array(result.indices.shuffled(using: &random).prefix(shuffled))
    for (from, to) in zip(positions, positions.shuffled(using: &random)) {
      result[to] = items[from]
    }
    let gone = Set(result.indices.shuffled(using: &random).prefix(deleted))
    result = result.indices.filter { !gone.contains($0) }.map { result[$0] }
    let total = result.count + inserted
    let places = Set((0..<total).shuffled(using: &random).prefix(inserted))
    var rest = result.makeIterator()
    var fresh = Self.items(items.count..<(items.count + inserted)).makeIterator()
    return (0..<total).map { places.contains($0) ? fresh.next()! : rest.next()! }
  }

  /// Returns the change that DifferenceKit publishes: one block deleted, one inserted and one
  /// shuffled.
  static func inBlocks(
    _ items: [Item], deleted: Range<Int>, inserted: Range<Int>, shuffled: Range<Int>,
    random: inout SeededGenerator
  ) -> [Item] {
    var result = items
    result.removeSubrange(deleted)
    result.insert(
      contentsOf: Self.items(items.count..<(items.count + inserted.count)),
      at: inserted.lowerBound)
    result[shuffled].shuffle(using: &random)
    return result
  }

  /// Returns sections in which one element in a hundred is updated, deleted, inserted or moved to
  /// another section.
  static func changedSections(
    _ sections: [[Item]], random: inout SeededGenerator
  ) -> [[Item]] {
    var result = sections
    let count = sections.reduce(0) { $0 + $1.count }
    for edit in 0..<(count / 100) {
      let section = random.number(in: 0...(result.count - 1))
      let row = random.number(in: 0...(result[section].count - 1))
      switch edit % 4 {
      case 0:
        result[section][row].payload = "Edit \(edit) of this post"
      case 1:
        result[section].remove(at: row)
      case 2:
        result[section].insert(contentsOf: items((count + edit)..<(count + edit + 1)), at: row)
      default:
        let item = result[section].remove(at: row)
        let target = random.number(in: 0...(result.count - 1))
        result[target].insert(item, at: random.number(in: 0...result[target].count))
      }
    }
    return result
  }
}
