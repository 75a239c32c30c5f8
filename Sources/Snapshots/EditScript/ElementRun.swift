/// A part of a section that stands in both lists, with the elements of the part in each: what is to
/// be compared.
///
/// A whole section is one run. A caller who knows that some elements are the same in both lists
/// leaves them out and hands over only the runs between them.
@usableFromInline
package struct ElementRun<Element: ~Copyable> {
  /// Where the old elements begin: the section's index in the old list and a row.
  @usableFromInline package let oldStart: ElementPosition
  /// Where the new elements begin: the section's index in the new list and a row.
  @usableFromInline package let newStart: ElementPosition
  @usableFromInline package let old: UnsafeBufferPointer<Element>
  @usableFromInline package let new: UnsafeBufferPointer<Element>

  @inlinable
  package init(
    oldStart: ElementPosition, newStart: ElementPosition, old: UnsafeBufferPointer<Element>,
    new: UnsafeBufferPointer<Element>
  ) {
    self.oldStart = oldStart
    self.newStart = newStart
    self.old = old
    self.new = new
  }
  /// Where an old element lies.
  ///
  /// A pointer, because a buffer's subscript would give a copy and count the references in it.
  /// There is a base address, because an index in bounds means that the buffer is not empty.
  @inlinable
  package func old(_ index: Int) -> UnsafePointer<Element> {
    assert(old.indices.contains(index), "the index of an old element")
    return old.baseAddress.unsafelyUnwrapped + index
  }

  /// Where a new element lies.
  @inlinable
  package func new(_ index: Int) -> UnsafePointer<Element> {
    assert(new.indices.contains(index), "the index of a new element")
    return new.baseAddress.unsafelyUnwrapped + index
  }
}
