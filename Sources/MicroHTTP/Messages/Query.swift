/// The parameters of a request's query, decoded on access.
///
/// The syntax is that of HTML forms and URLSearchParams: `a=1&b=2`, where `+` is a space and `%2B`
/// a plus sign. A parameter without `=` has an empty value. The server has already refused a query
/// that is not valid UTF-8 with a 400 problem, `bad-target`.
///
/// ```swift
/// let query = request.query  // tag=swift&tag=http&page=2
/// query.values("tag")  // ["swift", "http"]
/// try query.single("page")  // "2"
/// query.parameters(["tag", "page"]).map(\.name)  // ["tag", "tag", "page"]
/// ```
public struct Query: Sendable {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// Creates the query of a target; without a question mark it has no parameters.
  init(of target: Target) {
    bytes = target.bytes
    range = target.query ?? 0..<0
  }

  /// Whether there are no parameters.
  public var isEmpty: Bool { range.isEmpty }

  /// Returns the values of a parameter in the order of the query; an empty array if the parameter
  /// is absent.
  ///
  /// - Complexity: O(n), where n is the length of the query.
  public func values(_ name: String) -> [String] { parameters([name]).map(\.value) }

  /// Returns the parameters with these names in the order of the query, for parameters that belong
  /// to the one before.
  ///
  /// - Complexity: O(n × m), where n is the length of the query and m the number of names.
  public func parameters(_ names: [String]) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    forEachPair { key, value in
      let name = names.first { Self.equals(bytes.span.extracting(key), $0) }
      guard let name else { return }
      let text = PercentDecoding.string(of: bytes.span.extracting(value), plusIsSpace: true)
      if let text { parameters.append((name, text)) }
    }
    return parameters
  }

  /// Returns the value of a parameter that must not be repeated.
  ///
  /// - Parameter name: The decoded name.
  /// - Returns: nil if the parameter is absent.
  /// - Throws: A 400 problem, `bad-query`, that names the parameter, if it is repeated or empty.
  /// - Complexity: O(n), where n is the length of the query.
  public func single(_ name: String) throws(ProblemDetails) -> String? {
    var found = 0..<0
    var count = 0
    forEachPair { key, value in
      guard Self.equals(bytes.span.extracting(key), name) else { return }
      if count == 0 { found = value }
      count += 1
    }
    if count == 0 { return nil }
    guard count == 1 else { throw .badQuery("\(name) is repeated \(count) times") }
    guard !found.isEmpty else { throw .badQuery("\(name) is empty") }
    return PercentDecoding.string(of: bytes.span.extracting(found), plusIsSpace: true)
  }

  /// Calls a closure with the ranges of each parameter's name and value.
  private func forEachPair(_ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void) {
    let bytes = bytes.span
    var start = range.lowerBound
    while start < range.upperBound {
      let end = ASCII.index(of: UInt8(ascii: "&"), in: bytes, start..<range.upperBound)
      let equals = ASCII.index(of: UInt8(ascii: "="), in: bytes, start..<end)
      if end > start { body(start..<equals, min(equals + 1, end)..<end) }
      start = end + 1
    }
  }

  /// Returns whether an encoded name decodes to `name`, by bytes: Swift takes some different strings for equal.
  private static func equals(_ encoded: Span<UInt8>, _ name: String) -> Bool {
    PercentDecoding.equals(encoded, name.utf8.span, plusIsSpace: true)
  }
}
