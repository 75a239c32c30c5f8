/// One of a sequence of steps that together do what a batch does. Its positions are those at its
/// turn, as in the operations "remove", "add" and "move" of RFC 6902 §4, which it stands for.
enum SequentialStep<Position, Element> {
  /// Takes an element away; those behind it close up.
  case remove(Position)
  /// Inserts an element; those at its position and behind give way.
  case add(Element, at: Position)
  /// Takes an element out, then inserts it: `to` is its position once it has been taken out.
  case move(from: Position, to: Position)
}

extension Changeset.Group where Position: ListPosition {
  /// The deletions, insertions and moves one after another, a step for each; see
  /// ``SequentialPositions`` for their order.
  ///
  /// - Parameter newNumber: The number of a list after the batch for that before it.
  /// - Precondition: the operations follow the rules of a changeset.
  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  func sequentialSteps(
    numberingLists newNumber: (Int) -> Int = { $0 }
  ) -> [SequentialStep<Position, Element>] {
    func renumbered(_ old: Position) -> Position {
      Position(list: newNumber(old.list), indexInList: old.indexInList)
    }
    let deletions = deletes.map { renumbered($0.at) }
    var arrivals = inserts.map { (at: $0.at, origin: Origin.inserted($0.element)) }
    arrivals += moves.map { ($0.to, .moved(from: renumbered($0.from))) }
    arrivals.sort { $0.at < $1.at }

    var changes: [Int: ListChanges] = [:]
    for deletion in deletions {
      changes[deletion.list, default: ListChanges()].deleted.append(deletion.indexInList)
    }
    for arrival in arrivals {
      changes[arrival.at.list, default: ListChanges()].arriving.append(arrival.at.indexInList)
      if case .moved(let from) = arrival.origin {
        changes[from.list, default: ListChanges()].moving.append(from.indexInList)
      }
    }
    var lists = changes.mapValues {
      SequentialPositions(deleted: $0.deleted, moving: $0.moving, arriving: $0.arriving)
    }

    return deletions.map { .remove($0) }
      + arrivals.map { at, origin in
        // The departure comes first, because a move inserts where the element is gone already. Every
        // list of a move or an insertion has its positions: they were made from the same arrivals.
        switch origin {
        case .moved(let from):
          let departure = lists[from.list]!.depart(fromOld: from.indexInList)
          let arrival = lists[at.list]!.arrive(atNew: at.indexInList)
          return .move(
            from: Position(list: from.list, indexInList: departure),
            to: Position(list: at.list, indexInList: arrival))
        case .inserted(let element):
          let arrival = lists[at.list]!.arrive(atNew: at.indexInList)
          return .add(element, at: Position(list: at.list, indexInList: arrival))
        }
      }
  }

  /// Where an arriving element comes from; a position is in the lists' new numbers.
  private enum Origin {
    case inserted(Element)
    case moved(from: Position)
  }
}

/// The positions in one list at which something happens.
private struct ListChanges {
  var deleted: [Int] = []
  var moving: [Int] = []
  var arriving: [Int] = []
}

/// A position of an element in one of several lists: that of a row in its section, or that of a
/// section in the one list of sections.
protocol ListPosition: Comparable {
  /// The number of the list.
  var list: Int { get }
  /// The position in that list.
  var indexInList: Int { get }
  /// Where the element stands in the wire document of the snapshot.
  var place: DocumentPlace { get }

  init(list: Int, indexInList: Int)
}

extension Int: ListPosition {
  var list: Int { 0 }
  var indexInList: Int { self }
  var place: DocumentPlace { .section(self) }

  init(list: Int, indexInList: Int) {
    self = indexInList
  }
}

extension RowPath: ListPosition {
  var list: Int { section }
  var indexInList: Int { row }
  var place: DocumentPlace { .row(self) }

  init(list: Int, indexInList: Int) {
    self.init(section: list, row: indexInList)
  }
}
