import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Testing
import ViewDeltaServer
import ViewState

/// The OpenAPI document as a server hands it out, and ways to look things up in it.
struct OpenAPIDocument {
  let root: JSONValue

  /// Reads the document with the strict parser.
  init() async throws {
    let reply = try await Self.application.router.respond(
      to: Request(method: .get, target: "/openapi.json"))
    #expect(reply.status == .ok)
    root = try JSONValue(parsing: reply.body)
  }

  /// A server with everything switched on.
  static var application: Application {
    get throws {
      var demo = DemoApplication(ScreenEnvironment())
      demo.configuration.allowsFaults = true
      return try demo.make()
    }
  }

  /// The value at a place, and a failure of the test where there is none.
  func value(_ place: String) throws -> JSONValue {
    try #require(JSONPointer(place).flatMap { root.value(at: $0) }, "nothing stands at \(place)")
  }

  /// What stands here, or where its `$ref` leads.
  func resolved(_ value: JSONValue) throws -> JSONValue {
    guard let reference = value["$ref"]?.text else { return value }
    try #require(reference.hasPrefix("#"), "\(reference) leads out of the document")
    return try resolved(self.value(String(reference.dropFirst())))
  }

  /// The alternatives of a schema, however deep `anyOf` is in `anyOf`.
  func alternatives(of value: JSONValue) throws -> [JSONValue] {
    let schema = try resolved(value)
    guard let options = schema["anyOf"]?.elements else { return [schema] }
    return try options.flatMap { try alternatives(of: $0) }
  }

  /// Every object of the document.
  var objects: [JSONValue] {
    var found: [JSONValue] = []
    var rest = [root]
    while let value = rest.popLast() {
      switch value {
      case .object(let members):
        found.append(value)
        rest += members.values
      case .array(let elements): rest += elements
      default: break
      }
    }
    return found
  }

  /// An operation with its place.
  struct Operation {
    let method: String
    let path: String
    let value: JSONValue
  }

  /// All operations.
  var operations: [Operation] {
    get throws {
      let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
      return try value("/paths").members.flatMap { path, item in
        item.members.filter { methods.contains($0.key) }.map {
          Operation(method: $0.key.uppercased(), path: path, value: $0.value)
        }
      }
    }
  }
}

extension JSONValue {
  subscript(_ name: Text) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The members of an object; empty for any other value.
  var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.key.string, $0.value) })
  }

  /// The elements of an array; empty for any other value.
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text.string
  }
}
