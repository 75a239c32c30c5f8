/// A path whose segments are literal or parameters, as it is written in code.
struct RoutePattern: Sendable {
  enum Segment: Sendable, Equatable {
    case literal([UInt8])
    case parameter(String)
  }

  /// The pattern as it was written.
  let text: String
  let segments: [Segment]

  /// Reads a pattern like `/v1/users/{id}`. A malformed one is a programmer's error.
  init(_ text: String) {
    precondition(text.hasPrefix("/"), "the pattern \(text) must begin with a slash")
    self.text = text
    let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    segments = parts.map { part in
      guard part.contains("{") || part.contains("}") else { return .literal(Array(part.utf8)) }
      let name = part.dropFirst().dropLast()
      precondition(
        part.hasPrefix("{") && part.hasSuffix("}") && !name.isEmpty
          && !name.contains { "{}".contains($0) },
        "the segment \(part) of the pattern \(text) is neither literal nor a parameter")
      return .parameter(String(name))
    }
    let names = parameterNames.map(\.name)
    precondition(
      Set(names).count == names.count, "the pattern \(text) has a parameter twice")
  }

  /// The parameters and the segments that they stand for.
  var parameterNames: [ParameterName] {
    segments.enumerated().compactMap { index, segment in
      guard case .parameter(let name) = segment else { return nil }
      return ParameterName(name: name, segment: index)
    }
  }
}
