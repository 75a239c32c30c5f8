/// The routes of a router as a tree of path segments.
struct RouteTree: Sendable {
  /// The methods that a handler can be registered for. The router itself answers the others.
  static let routable: [RequestMethod] = [.get, .post, .put, .patch, .delete]

  /// A handler with the parameter names of its pattern.
  struct Route: Sendable {
    let method: RequestMethod
    let names: [ParameterName]
    /// Whether the route answers requests for hosts that the server refuses otherwise.
    let servesAnyHost: Bool
    let handler: Handler
  }

  private struct Node: Sendable {
    var literals: [(segment: [UInt8], node: Int)] = []
    var parameter: Int?
    var routes: [Route] = []
  }

  /// The nodes refer to each other by index; the first is the root.
  private var nodes = [Node()]
  /// The inserted routes, in the order of insertion.
  private(set) var descriptions: [RouteDescription] = []

  /// Adds a route.
  ///
  /// - Precondition: The tree has no route with this method and an equal pattern.
  /// - Complexity: O(s · c), where s is the number of segments and c the number of children of a
  ///   node.
  mutating func insert(
    _ method: RequestMethod, _ pattern: RoutePattern, servesAnyHost: Bool = false,
    _ handler: @escaping Handler
  ) {
    var current = 0
    for segment in pattern.segments {
      let parent = current
      switch segment {
      case .literal(let bytes):
        current = nodes[parent].literals.first { $0.segment == bytes }?.node ?? nodes.count
        if current == nodes.count { nodes[parent].literals.append((bytes, current)) }
      case .parameter:
        current = nodes[parent].parameter ?? nodes.count
        nodes[parent].parameter = current
      }
      if current == nodes.count { nodes.append(Node()) }
    }
    guard !nodes[current].routes.contains(where: { $0.method == method }) else {
      fatalError("\(method.name) \(pattern.text) has a handler already")
    }
    nodes[current].routes.append(
      Route(
        method: method, names: pattern.parameterNames, servesAnyHost: servesAnyHost,
        handler: handler))
    descriptions.append(RouteDescription(method: method.method, pattern: pattern.text))
  }

  /// Returns the routes that match a path, for all methods; an empty array if the path is unknown.
  ///
  /// - Complexity: O(n · c), where n is the number of bytes of the path and c the number of literal
  ///   children of a node.
  func routes(for target: Target) -> [Route] {
    find(target, PathSegments(target), at: 0).map { nodes[$0].routes } ?? []
  }

  /// Finds the node of a path, beginning at a node. It backtracks if a literal does not lead to a
  /// route, so that `/a/b` matches `/{x}/b` even if there is `/a/c`.
  private func find(_ target: Target, _ segments: PathSegments, at node: Int) -> Int? {
    var segments = segments
    guard let range = segments.next(in: target.bytes) else {
      return nodes[node].routes.isEmpty ? nil : node
    }
    for index in nodes[node].literals.indices
    where matches(target, range, nodes[node].literals[index].segment) {
      if let found = find(target, segments, at: nodes[node].literals[index].node) { return found }
    }
    if let child = nodes[node].parameter, !range.isEmpty {
      return find(target, segments, at: child)
    }
    return nil
  }

  /// Returns whether a raw segment decodes to a literal.
  private func matches(_ target: Target, _ range: Range<Int>, _ literal: [UInt8]) -> Bool {
    let bytes = target.bytes
    if target.hasEscapes {
      return PercentDecoding.equals(
        bytes.span.extracting(range), literal.span, plusIsSpace: false)
    }
    guard range.count == literal.count else { return false }
    for index in 0..<literal.count where bytes[range.lowerBound + index] != literal[index] {
      return false
    }
    return true
  }
}

/// A parsed route pattern: a path whose segments are literals or parameters.
struct RoutePattern: Sendable {
  enum Segment: Sendable, Equatable {
    case literal([UInt8])
    case parameter(String)
  }

  /// The pattern as written.
  let text: String
  let segments: [Segment]

  /// Parses a pattern such as `/v1/users/{id}`.
  ///
  /// - Precondition: The pattern is well-formed and names no parameter twice.
  init(_ text: String) {
    // By bytes: Swift takes a slash with an accent behind it for one character that is no slash.
    let (slash, braces) = (UInt8(ascii: "/"), "{}".utf8)
    guard text.utf8.first == slash else {
      fatalError("the pattern \(text) must begin with a slash")
    }
    self.text = text
    let parts = text.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    segments = parts.map { part in
      guard part.contains(where: braces.contains) else { return .literal(Array(part)) }
      let name = part.dropFirst().dropLast()
      guard part.first == braces.first && part.last == braces.last,
        !name.isEmpty, !name.contains(where: braces.contains)
      else {
        fatalError(
          "the segment \(Substring(part)) of the pattern \(text) is neither literal nor a parameter"
        )
      }
      return .parameter(String(Substring(name)))
    }
    let names = parameterNames.map(\.name)
    guard Set(names).count == names.count else {
      fatalError("the pattern \(text) has a parameter twice")
    }
  }

  /// The parameters with the indexes of their segments.
  fileprivate var parameterNames: [ParameterName] {
    segments.enumerated().compactMap { index, segment in
      guard case .parameter(let name) = segment else { return nil }
      return ParameterName(name: name, segment: index)
    }
  }
}
