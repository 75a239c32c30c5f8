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
  /// indexes are those of a batch update: in the old list for what is deleted, and in the new one for what
  /// is inserted.
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
    var oldIndex = 0
    var newIndex = 0
    for place in ListBatch(from: old, to: new, by: \.id).stays {
      change(old, from: &oldIndex, to: place.from, new, from: &newIndex, to: place.to)
      if old[place.from] != new[place.to] {
        update(old[place.from], at: place.from, to: new[place.to], at: place.to)
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
