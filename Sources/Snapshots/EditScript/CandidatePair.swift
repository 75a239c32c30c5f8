/// Where a new left-over lies and the old one that has its hash: two pointers, so that a block of them
/// fits the stack.
@usableFromInline
package struct CandidatePair<Element: ~Copyable> {
  @usableFromInline package let old: UnsafePointer<Element>
  @usableFromInline package let new: UnsafePointer<Element>

  @inlinable
  package init(old: UnsafePointer<Element>, new: UnsafePointer<Element>) {
    self.old = old
    self.new = new
  }
}
