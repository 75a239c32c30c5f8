/// A part of a section that both lists have, with the elements of this part in each list: the input
/// of a comparison.
///
/// A whole section is one run. A caller who knows that some elements are the same in both lists
/// leaves them out and passes only the runs between them.
@usableFromInline
package struct ElementRun<Element: ~Copyable> {
  /// The position of the first old element: the index of the section in the old list, and a row.
  @usableFromInline package let oldStart: ElementPosition
  /// The position of the first new element: the index of the section in the new list, and a row.
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

  /// Returns the address of an old element.
  ///
  /// A pointer, because the buffer's subscript would return a copy and count the references in it.
  /// The base address is not `nil`, because an index in bounds implies that the buffer is not
  /// empty.
  @inlinable
  package func old(_ index: Int) -> UnsafePointer<Element> {
    assert(old.indices.contains(index), "the index of an old element")
    return old.baseAddress.unsafelyUnwrapped + index
  }

  /// Returns the address of a new element.
  @inlinable
  package func new(_ index: Int) -> UnsafePointer<Element> {
    assert(new.indices.contains(index), "the index of a new element")
    return new.baseAddress.unsafelyUnwrapped + index
  }
}
