extension UnsafeBufferPointer where Element: ~Copyable {
  /// Returns what a closure reads of the element at an index, in its place.
  ///
  /// It is written for elements that cannot be copied, so the compiler proves that no reference is counted.
  ///
  /// - Precondition: The index is in the bounds.
  @inline(__always)
  func borrow<Result>(_ index: Int, _ body: (borrowing Element) -> Result) -> Result {
    body(self[index])
  }
}

extension UnsafeMutableBufferPointer {
  /// Copies the bits of elements to an index, and returns the index behind them.
  ///
  /// The copies have no references of their own: to retain each element and to release it again takes longer than most
  /// of what is done with it. This is sound in memory that is never deinitialised, as long as the elements that were
  /// copied live, because an element is moved by copying its bits.
  ///
  /// - Precondition: There is room.
  @discardableResult
  func copyBits(of elements: UnsafeBufferPointer<Element>, to index: Int) -> Int {
    let end = index + elements.count
    precondition(index >= 0 && end <= count, "there is room for the elements")
    let room = UnsafeMutableBufferPointer(rebasing: self[index..<end])
    UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(elements))
    return end
  }
}
