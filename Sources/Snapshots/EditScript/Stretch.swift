/// Elements that follow each other in an old and in a new section alike.
@usableFromInline
package struct Stretch: Equatable {
  /// The first one's row in the old section.
  @usableFromInline package var old: Int32
  /// The first one's row in the new section.
  @usableFromInline package var new: Int32
  /// How many they are, at least 1.
  @usableFromInline package var count: Int32

  @inlinable
  package init(old: Int32, new: Int32, count: Int32) {
    self.old = old
    self.new = new
    self.count = count
  }

  @inlinable
  package var oldEnd: Int32 { old + count }

  @inlinable
  package var newEnd: Int32 { new + count }
}

/// What a walk left over of a run: the rows before each of its stretches, and behind the last.
@usableFromInline
package struct Gaps: Sequence, IteratorProtocol {
  @usableFromInline package var stretches: ArraySlice<Stretch>.Iterator
  /// The rows of the run that are not passed yet.
  @usableFromInline package var oldRows: Range<Int32>
  @usableFromInline package var newRows: Range<Int32>
  @usableFromInline package var isAtEnd = false

  /// The rows between two stretches in both sections; either may be empty.
  @usableFromInline
  package typealias Element = (old: Range<Int32>, new: Range<Int32>)

  @inlinable
  package init(stretches: ArraySlice<Stretch>, oldRows: Range<Int32>, newRows: Range<Int32>) {
    self.stretches = stretches.makeIterator()
    self.oldRows = oldRows
    self.newRows = newRows
  }

  @inlinable
  package mutating func next() -> Element? {
    if let stretch = stretches.next() {
      let gap = (
        oldRows.lowerBound..<stretch.old, newRows.lowerBound..<stretch.new
      )
      oldRows = stretch.oldEnd..<oldRows.upperBound
      newRows = stretch.newEnd..<newRows.upperBound
      return gap
    }
    if isAtEnd { return nil }
    isAtEnd = true
    return (oldRows, newRows)
  }
}
