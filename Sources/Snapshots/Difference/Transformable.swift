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
public protocol Transformable {
  associatedtype Element: Identifiable & Equatable

  /// Inserts an element at an index of the new list.
  mutating func insert(_ new: Element, at newIndex: Int)

  /// Deletes the element at an index of the old list.
  mutating func delete(_ old: Element, at oldIndex: Int)

  /// Updates an element. The indexes are those in the old and in the new list.
  mutating func update(_ old: Element, at oldIndex: Int, to new: Element, at newIndex: Int)
}

extension Transformable {
  /// Calls the operations that turn an old list into a new one, in one pass from left to right.
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
    var positions: [Element.ID: Int] = [:]
    positions.reserveCapacity(old.count)
    for (index, element) in old.enumerated() where positions[element.id] == nil {
      positions[element.id] = index
    }
    let kept = new.enumerated().compactMap { newIndex, element in
      positions.removeValue(forKey: element.id).map { (old: $0, new: newIndex) }
    }
    let isStaying = longestIncreasingSubsequence(of: kept.map { Int32($0.old) })

    var oldIndex = 0
    var newIndex = 0
    for (place, isStaying) in zip(kept, isStaying) where isStaying {
      change(old, from: &oldIndex, to: place.old, new, from: &newIndex, to: place.new)
      if old[place.old] != new[place.new] {
        update(old[place.old], at: place.old, to: new[place.new], at: place.new)
      }
      oldIndex += 1
      newIndex += 1
    }
    change(old, from: &oldIndex, to: old.count, new, from: &newIndex, to: new.count)
  }

  /// Deletes and inserts the elements before the next kept one.
  private mutating func change(
    _ old: [Element], from oldIndex: inout Int, to oldEnd: Int, _ new: [Element],
    from newIndex: inout Int, to newEnd: Int
  ) {
    for index in oldIndex..<oldEnd { delete(old[index], at: index) }
    for index in newIndex..<newEnd { insert(new[index], at: index) }
    oldIndex = oldEnd
    newIndex = newEnd
  }
}
