/// A new left-over and the old one that has its hash, where they lie.
@usableFromInline
package struct CandidatePair<Element: ~Copyable> {
  @usableFromInline package let old: UnsafePointer<Element>
  @usableFromInline package let new: UnsafePointer<Element>
  /// The ordinals of both.
  @usableFromInline package let origin: Int32
  @usableFromInline package let ordinal: Int32

  @inlinable
  package init(
    old: UnsafePointer<Element>, new: UnsafePointer<Element>, origin: Int32, ordinal: Int32
  ) {
    self.old = old
    self.new = new
    self.origin = origin
    self.ordinal = ordinal
  }
}
