/// Checks that the field lines of a head lie in memory one behind the other, as they were received.
///
/// The parser of libmicrohttpd 0.9 takes a line that begins with a colon for the end of the head,
/// and reads the fields after it as a request of their own. It also joins a folded line with the
/// name of its field, and cuts a line at a NUL. Each of these leaves a gap between the lines.
///
/// The pointers are only compared, and only as long as the head is in memory.
struct HeadLines {
  /// Where the next line must begin if the parser took the head line by line; nil if that cannot be
  /// told.
  private var next: UnsafePointer<UInt8>?
  /// Whether a line was not where it must have been.
  private(set) var hasGap = false

  /// Begins at the first line, or nowhere if the parser moves lines.
  init(first: UnsafePointer<UInt8>?) {
    next = first
  }

  /// Takes the next field.
  mutating func field(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    guard let expected = next, let start = name.baseAddress, let text = value.baseAddress else {
      return
    }
    if start != expected { hasGap = true }
    next = text + value.count + 2
  }

  /// Takes the end of the head: where the parser says that it ends.
  mutating func end(at end: UnsafePointer<UInt8>) {
    if let next, next + 2 != end { hasGap = true }
  }
}
