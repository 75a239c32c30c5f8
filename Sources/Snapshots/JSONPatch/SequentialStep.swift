/// A step in a sequence that has the effect of a batch. Its positions are those at the time of the
/// step, as in the operations "remove", "add" and "move" of RFC 6902 §4.
enum SequentialStep<Position: ListPosition> {
  /// Removes an element; those behind it move forward. All removals come first, so this is also the old
  /// position in its list.
  case remove(Position)
  /// Inserts the element of the insertion with a number; those at its position and behind move back.
  case add(insertion: Int, at: Position)
  /// Removes the element of the move with a number, then inserts it: `to` is its position after the
  /// removal.
  case move(Int, from: Position, to: Position)
}

extension SequentialStep {
  /// Returns the operations of a batch as a sequence with one step for each; see
  /// ``SequentialPositions`` for their order.
  ///
  /// - Parameters:
  ///   - deletes: The old positions of the deleted elements, descending in each list.
  ///   - inserts: The new positions of the inserted elements.
  ///   - moves: The old and new positions of the moved elements.
  ///   - newNumber: Returns the number of a list after the batch for its number before.
  /// - Precondition: The operations follow the rules of ``Changeset``.
  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  static func steps(
    deletes: [Position], inserts: [Position], moves: [(from: Position, to: Position)],
    numberingLists newNumber: (Int) -> Int = { $0 }
  ) -> [SequentialStep] {
    func renumbered(_ old: Position) -> Position {
      Position(list: newNumber(old.list), indexInList: old.indexInList)
    }
    let deletions = deletes.map(renumbered)
    var arrivals = inserts.enumerated().map { (at: $1, origin: Origin.inserted($0)) }
    arrivals += moves.enumerated().map { ($1.to, .moved($0, from: renumbered($1.from))) }
    arrivals.sort { $0.at < $1.at }

    var changes: [Int: ListChanges] = [:]
    for deletion in deletions {
      changes[deletion.list, default: ListChanges()].deleted.append(deletion.indexInList)
    }
    for arrival in arrivals {
      changes[arrival.at.list, default: ListChanges()].arriving.append(arrival.at.indexInList)
      if case .moved(_, let from) = arrival.origin {
        changes[from.list, default: ListChanges()].moving.append(from.indexInList)
      }
    }
    var lists = changes.mapValues {
      SequentialPositions(deleted: $0.deleted, moving: $0.moving, arriving: $0.arriving)
    }

    return deletions.map { .remove($0) }
      + arrivals.map { at, origin in
        // The departure comes first, because a move inserts after it has removed. Each list of a
        // move or an insertion is in `lists`, which was made from the same arrivals.
        switch origin {
        case .moved(let number, let from):
          let departure = lists[from.list]!.depart(fromOld: from.indexInList)
          let arrival = lists[at.list]!.arrive(atNew: at.indexInList)
          return .move(
            number, from: Position(list: from.list, indexInList: departure),
            to: Position(list: at.list, indexInList: arrival))
        case .inserted(let number):
          let arrival = lists[at.list]!.arrive(atNew: at.indexInList)
          return .add(insertion: number, at: Position(list: at.list, indexInList: arrival))
        }
      }
  }

  /// The origin of an arriving element: an insertion or a move by its number, with positions in the new
  /// numbers of the lists.
  private enum Origin {
    case inserted(Int)
    case moved(Int, from: Position)
  }
}

extension Changeset.Group where Position: ListPosition {
  /// Returns the deletions, insertions and moves as a sequence; see ``SequentialStep``.
  func sequentialSteps(
    numberingLists newNumber: (Int) -> Int = { $0 }
  ) -> [SequentialStep<Position>] {
    SequentialStep.steps(
      deletes: deletes.map(\.at), inserts: inserts.map(\.at), moves: moves.map { ($0.from, $0.to) },
      numberingLists: newNumber)
  }
}

/// The positions at which one list changes.
private struct ListChanges {
  var deleted: [Int] = []
  var moving: [Int] = []
  var arriving: [Int] = []
}
