/// Elements that are consecutive in both the old and the new version of a section.
@usableFromInline
package struct Stretch: Equatable {
  /// The row of the first element in the old section.
  @usableFromInline package var old: Int32
  /// The row of the first element in the new section.
  @usableFromInline package var new: Int32
  /// The number of elements, at least 1.
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

/// The gaps that a walk leaves in a run: the rows before each stretch and behind the last one.
@usableFromInline
package struct Gaps: Sequence, IteratorProtocol {
  @usableFromInline package var stretches: ArraySlice<Stretch>.Iterator
  /// The rows of the run behind the last gap that was returned.
  @usableFromInline package var oldRows: Range<Int32>
  @usableFromInline package var newRows: Range<Int32>
  @usableFromInline package var isAtEnd = false

  /// The rows of a gap in both sections; either range may be empty.
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
