/// All routes of a router, as a tree of their segments.
struct RouteTree: Sendable {
  /// The methods that handlers can be registered for; the others are answered by the router itself.
  static let routable: [RequestMethod] = [.get, .post, .put, .patch, .delete]

  /// A handler and what its pattern calls the parameters.
  struct Route: Sendable {
    let method: RequestMethod
    let names: [ParameterName]
    let handler: Handler
  }

  private struct Node: Sendable {
    var literals: [(segment: [UInt8], node: Int)] = []
    var parameter: Int?
    var routes: [Route] = []
  }

  /// The root is the first; nodes refer to each other by their index.
  private var nodes = [Node()]
  /// What was inserted, in this order.
  private(set) var descriptions: [RouteDescription] = []

  /// Adds a route. Adding one twice is a programmer's error.
  ///
  /// - Complexity: O(s · c), with s segments and c children of each node.
  mutating func insert(
    _ method: RequestMethod, _ pattern: RoutePattern, _ handler: @escaping Handler
  ) {
    var current = 0
    for segment in pattern.segments {
      switch segment {
      case .literal(let bytes):
        if let child = nodes[current].literals.first(where: { $0.segment == bytes }) {
          current = child.node
        } else {
          nodes.append(Node())
          nodes[current].literals.append((bytes, nodes.count - 1))
          current = nodes.count - 1
        }
      case .parameter:
        if let child = nodes[current].parameter {
          current = child
        } else {
          nodes.append(Node())
          nodes[current].parameter = nodes.count - 1
          current = nodes.count - 1
        }
      }
    }
    precondition(
      !nodes[current].routes.contains { $0.method == method },
      "\(method.name) has a handler for this path already")
    nodes[current].routes.append(
      Route(method: method, names: pattern.parameterNames, handler: handler))
    descriptions.append(RouteDescription(method: method.method, pattern: pattern.text))
  }

  /// The routes of a path, for all methods; empty if the path is unknown.
  ///
  /// - Complexity: O(n · c), with n bytes in the path and c literal children of each node.
  func routes(for target: Target) -> [Route] {
    let segments = PathSegments(target)
    if segments.isAtEnd { return [] }
    return find(target, segments, at: 0).map { nodes[$0].routes } ?? []
  }

  /// The node of a path from some node on. It goes back if a literal leads nowhere, so `/a/b` finds
  /// `/{x}/b` beside `/a/c`.
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

  /// Whether a raw segment stands for a literal.
  private func matches(_ target: Target, _ range: Range<Int>, _ literal: [UInt8]) -> Bool {
    let bytes = target.bytes
    if target.hasEscapes { return PercentDecoding.equals(bytes.span.extracting(range), literal) }
    guard range.count == literal.count else { return false }
    for index in 0..<literal.count where bytes[range.lowerBound + index] != literal[index] {
      return false
    }
    return true
  }
}
