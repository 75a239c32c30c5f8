extension Double {
  /// The integer that this number is, or `nil` if it has a fraction or is beyond an `Int`.
  ///
  /// `Int(exactly:)` says the same, but compiles to a call of the C library's `trunc`, which a
  /// client that imports nothing else of the C library cannot link on Linux.
  var exactInteger: Int? {
    guard magnitude < 0x1p63 else { return nil }
    let integer = Int(self)
    return Double(integer) == self ? integer : nil
  }
}
