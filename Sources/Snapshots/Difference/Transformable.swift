/// A receiver of the changes that turn one list of values into another, one change at a time.
///
/// An element has an identity and a value: two elements of the old and the new list with the same
/// id are the same thing, which was updated if they are not equal. A type that implements
/// inserting, deleting and updating gets ``transform(from:to:)``, so that one algorithm drives
/// unrelated kinds of lists (after B. Royal-Gordon, "Valuable Models").
///
///     struct Log: Transformable {
///       var lines: [String] = []
///       mutating func insert(_ new: Player, at newIndex: Int) { lines.append("+ \(new.name)") }
///       mutating func delete(_ old: Player, at oldIndex: Int) { lines.append("- \(old.name)") }
///       mutating func update(
///         _ old: Player, at oldIndex: Int, to new: Player, at newIndex: Int
///       ) { lines.append("\(old.points) to \(new.points)") }
///     }
///     var log = Log()
///     log.transform(from: before, to: after)
///
/// A type that changes its list with each operation is a ``TransformableList``.
public protocol Transformable<Element> {
  associatedtype Element: Identifiable & Equatable

  /// Inserts an element at an index of the new list.
  mutating func insert(_ new: Element, at newIndex: Int)

  /// Deletes the element at an index of the old list.
  mutating func delete(_ old: Element, at oldIndex: Int)

  /// Updates an element. The indexes are those in the old and in the new list.
  mutating func update(_ old: Element, at oldIndex: Int, to new: Element, at newIndex: Int)
}

extension Transformable {
  /// Calls the operations that turn an old list into a new one, in one pass from left to right. The
  /// indexes are those of a batch update: a deletion has an index in the old list, and an insertion has an index
  /// in the new list.
  ///
  /// An element that changes its place among the others is deleted and inserted; as many as
  /// possible keep their place. If several elements have the same id, only the first one can keep
  /// its place. At the same place, deletions come before insertions.
  ///
  /// For example, from A B C D to X A C′ D E: insert X at 0, delete B at 1, update C at 2 to C′ at
  /// 2, insert E at 4.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements of both lists;
  ///   O(*n*) if the kept elements do not change their order.
  public mutating func transform(from old: [Element], to new: [Element]) {
    let batch = ListBatch(from: old, to: new, by: \.id)
    let departures = Set(batch.deletes + batch.moves.map(\.from))
    let arrivals = Set(batch.inserts + batch.moves.map(\.to))
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if departures.contains(oldIndex) {
        delete(old[oldIndex], at: oldIndex)
        oldIndex += 1
      } else if arrivals.contains(newIndex) {
        insert(new[newIndex], at: newIndex)
        newIndex += 1
      } else {
        // Both are the same element, which keeps its place.
        if old[oldIndex] != new[newIndex] {
          update(old[oldIndex], at: oldIndex, to: new[newIndex], at: newIndex)
        }
        oldIndex += 1
        newIndex += 1
      }
    }
  }
}
