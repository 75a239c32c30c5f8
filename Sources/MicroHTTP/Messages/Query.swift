/// The parameters of a request's query, decoded on demand.
///
/// The form is that of HTML forms and URLSearchParams: `a=1&b=2`, where `+` is a space and `%2B` a
/// plus. A parameter without `=` has an empty value. What cannot be decoded as strict UTF-8 was
/// refused with a 400 problem, `bad-target`, before a handler saw the request.
public struct Query: Sendable {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// A query of its own, without the question mark.
  public init(_ text: String) {
    self.init(Array(text.utf8), range: nil)
  }

  init(_ bytes: [UInt8], range: Range<Int>?) {
    self.bytes = bytes
    self.range = range ?? 0..<(bytes.count)
  }

  /// A query without parameters.
  static var none: Query { Query([], range: nil) }

  /// The values of a parameter in the order they came in; empty if it is absent.
  ///
  /// - Complexity: O(n) in the length of the query.
  public func values(_ name: String) -> [String] {
    let name = Array(name.utf8)
    var values: [String] = []
    forEachPair { key, value in
      guard Self.equals(bytes.span.extracting(key), name) else { return }
      let text = PercentDecoding.string(of: bytes.span.extracting(value), plusIsSpace: true)
      if let text { values.append(text) }
    }
    return values
  }

  /// The value of a parameter that may be given once.
  ///
  /// - Parameter name: The name after decoding.
  /// - Returns: nil if the parameter is absent.
  /// - Throws: A 400 problem, `bad-query`, naming the parameter, if it is given twice or empty.
  /// - Complexity: O(n) in the length of the query.
  public func single(_ name: String) throws(ProblemDetails) -> String? {
    var found = 0..<0
    var count = 0
    let encoded = Array(name.utf8)
    forEachPair { key, value in
      guard Self.equals(bytes.span.extracting(key), encoded) else { return }
      if count == 0 { found = value }
      count += 1
    }
    if count == 0 { return nil }
    guard count == 1 else { throw .badQuery("\(name) is given \(count) times") }
    guard !found.isEmpty else { throw .badQuery("\(name) is empty") }
    return PercentDecoding.string(of: bytes.span.extracting(found), plusIsSpace: true)
  }

  /// Calls back with where each parameter's name and value are.
  private func forEachPair(_ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let rest = bytes[start..<range.upperBound]
      let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
      if end > start {
        let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
        body(start..<(equals ?? end), (equals.map { $0 + 1 } ?? end)..<end)
      }
      start = end + 1
    }
  }

  /// Whether an encoded name stands for these bytes; only odd ones are decoded for it.
  private static func equals(_ encoded: Span<UInt8>, _ name: [UInt8]) -> Bool {
    for index in encoded.indices
    where encoded[index] == UInt8(ascii: "+") || encoded[index] == UInt8(ascii: "%") {
      let text = PercentDecoding.string(of: encoded, plusIsSpace: true)
      return text.map { Array($0.utf8) == name } ?? false
    }
    return PercentDecoding.equals(encoded, name)
  }
}
