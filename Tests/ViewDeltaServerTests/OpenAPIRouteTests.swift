import HTTPTypes
import Testing
import ViewDeltaServer

@testable import MicroHTTP

@Suite("The OpenAPI document and the router")
struct OpenAPIRouteTests {
  @Test("have the same operations, no more and no fewer on either side")
  func sameRoutes() async throws {
    let document = try await OpenAPIDocument()
    let described = try Set(document.operations.map { "\($0.method) \($0.path)" })
    let registered = try OpenAPIDocument.application.router.registeredRoutes()
    #expect(registered.count > 20)
    #expect(described.subtracting(registered).sorted() == [])
    #expect(registered.subtracting(described).sorted() == [])
  }

  @Test("agree on the methods that Allow lists for each path")
  func allow() async throws {
    let document = try await OpenAPIDocument()
    let router = OpenAPIDocument.application.router
    let operations = try document.operations
    for (path, methods) in Dictionary(grouping: operations, by: \.path) {
      let target = path.replacing(/{\w+}/, with: "1")
      let reply = await router.respond(to: Request(method: .options, target: target))
      let allowed = (reply.fields[.allow] ?? "").split(separator: ", ").map(String.init)
      #expect(
        Set(allowed).subtracting(["HEAD", "OPTIONS"]) == Set(methods.map(\.method)), "at \(path)")
    }
  }
}

extension Router {
  /// All routes as `GET /v1/users/{id}`.
  ///
  /// A router finds routes and has no use for a list of them, so the tree is looked into from
  /// outside; a tree that is built in another way fails the test.
  fileprivate func registeredRoutes() throws -> Set<String> {
    let children = Mirror(reflecting: tree).children
    let nodes = try #require(children.first { $0.label == "nodes" }).value
    let all = try Mirror(reflecting: nodes).children.map { try Node($0.value) }
    var routes: Set<String> = []
    var rest: [(node: Int, segments: [String])] = [(0, [])]
    while let (index, segments) = rest.popLast() {
      let node = all[index]
      for route in node.routes {
        var named = segments
        for name in route.names { named[name.segment] = "{\(name.name)}" }
        routes.insert("\(route.method.name) /\(named.joined(separator: "/"))")
      }
      for (literal, child) in node.literals {
        rest.append((child, segments + [String(decoding: literal, as: UTF8.self)]))
      }
      if let child = node.parameter { rest.append((child, segments + ["{}"])) }
    }
    return routes
  }

  /// A node of the route tree.
  private struct Node {
    let literals: [(segment: [UInt8], node: Int)]
    let parameter: Int?
    let routes: [RouteTree.Route]

    init(_ node: Any) throws {
      let members = Dictionary(
        uniqueKeysWithValues: Mirror(reflecting: node).children.map { ($0.label ?? "", $0.value) })
      literals = try #require(members["literals"] as? [(segment: [UInt8], node: Int)])
      parameter = try #require(members["parameter"] as? Int?)
      routes = try #require(members["routes"] as? [RouteTree.Route])
    }
  }
}
