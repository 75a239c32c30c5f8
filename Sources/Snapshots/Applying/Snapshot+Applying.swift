extension Snapshot {
  /// The snapshot that a changeset makes of this one.
  ///
  /// Everything is checked: that every position is there and has the element that is named, that no
  /// two operations collide, that ids stay unique, and that the result has the number of rows and
  /// the digest that the changeset promises. So the result is what the maker of the changeset had,
  /// or there is none.
  ///
  /// - Complexity: O(*s* + *c* log *n*) expected, where *s* is the number of sections of both
  ///   snapshots, *n* that of rows and *c* that of operations, but not more than
  ///   O(*n* + *c* log *c*).
  /// - Throws: ``ChangesetError`` for the first fault.
  public func applying(_ changeset: Changeset) throws(ChangesetError) -> Snapshot {
    try ChangesetApplication(old: self, changeset: changeset).result()
  }
}
