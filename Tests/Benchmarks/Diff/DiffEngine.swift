import Snapshots

/// A competitor that finds the difference of two lists.
///
/// To add one, write a type that conforms and add its name to ``DiffBenchmark/peers``.
protocol DiffEngine: Sendable {
  var name: String { get }

  /// Whether it would take minutes if much has changed in a long list.
  var isQuadratic: Bool { get }

  /// Returns the closure to measure, which finds the difference and returns the number of
  /// operations.
  func prepare(_ workload: Workload) -> () -> Int
}

extension DiffEngine {
  var isQuadratic: Bool { false }
}

/// The unit of the budgets: one pass of all ids of old and new through an open-addressing table
/// with a fast hash.
struct HashingPass: DiffEngine {
  let name = "hashing"

  func prepare(_ workload: Workload) -> () -> Int {
    let old = workload.old.flatMap { $0 }
    let new = workload.new.flatMap { $0 }
    return {
      old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in Self.matches(old, new) }
      }
    }
  }

  /// Returns the number of new ids that are among the old ones.
  private static func matches(
    _ old: UnsafeBufferPointer<Item>, _ new: UnsafeBufferPointer<Item>
  ) -> Int {
    var capacity = 16
    while capacity < old.count + old.count / 2 { capacity *= 2 }
    let mask = capacity - 1
    let key = ProcessKey.value
    let tagMask: UInt64 = 0xFFFF_FFFF_0000_0000
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { slots in
      slots.initialize(repeating: 0)
      for index in old.indices {
        let hash = FoldedHash.hash(old[index].id, key: key)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = hash & tagMask | UInt64(index + 1)
      }
      var count = 0
      for index in new.indices {
        let hash = FoldedHash.hash(new[index].id, key: key)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
          if slots[slot] & tagMask == hash & tagMask,
            old[Int(slots[slot] & ~tagMask) - 1].id == new[index].id
          {
            count += 1
            break
          }
          slot = (slot + 1) & mask
        }
      }
      return count
    }
  }
}

/// The standard library's `difference(from:)` with inferred moves, section by section: Myers'
/// algorithm, for lists with few changes. It finds no updates and no moves across sections.
struct SwiftDifference: DiffEngine {
  let name = "Swift"
  let isQuadratic = true

  func prepare(_ workload: Workload) -> () -> Int {
    let pairs = Array(zip(workload.old, workload.new))
    return {
      pairs.reduce(0) { count, lists in
        let changes = lists.1.difference(from: lists.0).inferringMoves()
        // A move is a removal and an insertion that name each other.
        let moves = changes.removals.count { change in
          if case .remove(_, _, .some) = change { true } else { false }
        }
        return count + changes.count - moves
      }
    }
  }
}
