/// Where a run stands and where in a ``Pairing`` its elements are.
@usableFromInline
package struct PairedRun {
  @usableFromInline package let oldStart: ElementPosition
  @usableFromInline package let newStart: ElementPosition
  @usableFromInline package let oldCount: Int32
  @usableFromInline package let newCount: Int32
  /// Its stretches among those of all runs.
  @usableFromInline package var stretches = 0..<0
  /// The ordinal of its first left-over among those of the old list.
  @usableFromInline package var oldLeftoverStart = 0
  /// The ordinal of its first left-over among those of the new list.
  @usableFromInline package var newLeftoverStart = 0

  @usableFromInline
  package init(
    oldStart: ElementPosition, newStart: ElementPosition, oldCount: Int32, newCount: Int32
  ) {
    self.oldStart = oldStart
    self.newStart = newStart
    self.oldCount = oldCount
    self.newCount = newCount
  }

  @usableFromInline package var oldEnd: Int32 { oldStart.row + oldCount }
  @usableFromInline package var newEnd: Int32 { newStart.row + newCount }
}
