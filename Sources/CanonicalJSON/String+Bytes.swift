extension String {
  /// Whether the two strings are the same UTF-8 bytes.
  ///
  /// `==` also holds for canonically equivalent strings of different bytes, which are different
  /// content on the wire.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func hasSameBytes(as other: String) -> Bool {
    // The first test is a memory comparison for almost all strings and settles most cases.
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether the string stands before another one in the order of their UTF-8 bytes, which is
  /// also the order of their code points.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the shorter string.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
