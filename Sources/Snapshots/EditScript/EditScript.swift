/// What turns one list of sections into another, as positions.
///
/// The rules are those of ``Changeset``: `deletes` and `from` are positions in the old list,
/// `inserts` and `to` in the new one, and the moves are the fewest there are. Only elements of
/// sections that stand in both lists occur.
@usableFromInline
package struct EditScript: Equatable {
  /// An element that stands in both lists.
  @usableFromInline
  package struct Transition: Hashable {
    /// Its position in the old list.
    @usableFromInline package var from: ElementPosition
    /// Its position in the new list.
    @usableFromInline package var to: ElementPosition

    @inlinable
    package init(from: ElementPosition, to: ElementPosition) {
      self.from = from
      self.to = to
    }
  }

  /// The elements that go, descending.
  package internal(set) var deletes: [ElementPosition] = []
  /// The elements that come, ascending.
  package internal(set) var inserts: [ElementPosition] = []
  /// The elements that change their place among those that stay, ascending by `to`.
  package internal(set) var moves: [Transition] = []
  /// The elements that change what they say, ascending by `to`.
  package internal(set) var updates: [Transition] = []

  /// The number of operations.
  @usableFromInline package var operationCount: Int {
    deletes.count + inserts.count + moves.count + updates.count
  }
}
