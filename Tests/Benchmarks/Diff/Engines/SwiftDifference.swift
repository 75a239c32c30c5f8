/// The standard library's `difference(from:)` with inferred moves, section by section: Myers'
/// algorithm, for lists of few changes. It knows no updates and no moves across sections.
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
