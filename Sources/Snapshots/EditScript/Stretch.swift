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
