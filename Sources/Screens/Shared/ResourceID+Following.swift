extension ResourceID {
  /// The number to assign next once this id is in use; what JSON cannot carry exactly does not
  /// count.
  func following(_ next: Int) -> Int {
    guard let number = Int(text), number < 1 << 53 else { return next }
    return max(next, number + 1)
  }
}
