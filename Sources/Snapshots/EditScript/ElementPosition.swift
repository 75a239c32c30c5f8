/// The position of an element in a list of sections, in 8 bytes: an engine's scratch has many.
@usableFromInline
package struct ElementPosition: Hashable {
  @usableFromInline package var section: Int32
  @usableFromInline package var row: Int32

  @inlinable
  package init(section: Int32, row: Int32) {
    self.section = section
    self.row = row
  }
}

extension ElementPosition: Comparable {
  /// Whether the left element stands before the right one.
  @inlinable
  package static func < (left: ElementPosition, right: ElementPosition) -> Bool {
    left.section == right.section ? left.row < right.row : left.section < right.section
  }
}
