/// What can be told one by one how a list of values becomes another one.
///
/// Values have an identity apart from equality: an element of the old list and one of the new list
/// that have the same id are one thing, which was updated if they are not equal. Whoever says how
/// to insert, delete and update gets ``transform(from:to:)`` for free, so that one piece of code
/// drives lists that have nothing else in common (after B. Royal-Gordon, "Valuable Models").
public protocol Transformable {
  associatedtype Element: Identifiable & Equatable

  /// An element came; the index is that in the new list.
  mutating func insert(_ new: Element, at newIndex: Int)

  /// An element went; the index is that in the old list.
  mutating func delete(_ old: Element, at oldIndex: Int)

  /// An element changed; the indexes are those in the old and in the new list.
  mutating func update(_ old: Element, at oldIndex: Int, to new: Element, at newIndex: Int)
}

extension Transformable {
  /// Tells what turns an old list into a new one, in one walk from left to right.
  ///
  /// An element that changes its place among the others is deleted where it was and inserted where
  /// it is; as many as possible keep theirs. Of several elements with one id the first counts, and
  /// the others are deleted and inserted. Where both happen at one place, the deletions come first.
  ///
  /// From A B C D to X A C′ D E: insert X at 0, delete B at 1, update C at 2 to C′ at 2, insert E
  /// at 4.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements of both lists;
  ///   O(*n*) if those that stay keep their order.
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

  /// Deletes and inserts what stands before the next element that stays.
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
