import COpenAPI
public import CanonicalJSON
import HTTPTypes
import MicroHTTP
import OrderedCollections
import ViewState

/// Describes the API as one OpenAPI 3.1 document. It joins a base, which describes the protocol, with
/// descriptions of the screens and features of an application.
///
/// The descriptors of the screens give a component for each command (`GroceriesAddCommand`) and each type of
/// rows (`GroceryRow`), the unions `Command` and `Row`, and the names of screens and sources. For the fragments
/// of features see ``ApplicationBuilder/document(_:)``.
struct OpenAPIDocument: Sendable {
  private var members: [Text: JSONValue] = [:]
  private var tags: OrderedDictionary<Text, JSONValue> = [:]
  private var paths: [Text: JSONValue] = [:]
  var components: [Text: [Text: JSONValue]] = [:]
  private var problems: [Text: JSONValue] = [:]

  /// Joins a base with descriptions of screens and features.
  ///
  /// - Throws: ``ApplicationError/invalidDocument(place:reason:)`` if the base or a fragment has another
  ///   shape, if two features define one component differently or describe one path, and if a fragment
  ///   contradicts the base.
  /// - Complexity: O(*n*), where *n* is the size of the document.
  init(base: JSONValue, screens: [ScreenDescriptor], fragments: [JSONValue]) throws {
    members = try Self.object(base, "")
    let own = (
      paths: try Self.object(members.removeValue(forKey: "paths"), "/paths"),
      components: try Self.object(members.removeValue(forKey: "components"), "/components")
        .mapValues { try Self.object($0, "/components") }
    )
    (paths, components) = own
    problems = try Self.object(members.removeValue(forKey: "problems"), "/problems")
    try add(tags: members.removeValue(forKey: "tags"))

    let generated = try addCommands(of: screens).merging(addRowTypes(of: screens)) { $1 }
    for (name, schema) in generated {
      let known = components["schemas"]?.updateValue(schema, forKey: name)
      try Self.require(
        known == nil, "/components/schemas/\(name)",
        "a command or a type of rows has the name of this component")
    }
    for fragment in fragments {
      try add(fragment, generated: generated, ownPaths: own.paths, ownComponents: own.components)
    }
    for name in generated.keys {
      if let schema = components["schemas"]?[name] {
        components["schemas"]?[name] = Self.moved(schema, to: "\(Self.schemas)\(name)")
      }
    }
    try addNames(of: screens)
    try addProblems()
    try checkOperationIDs()
  }

  /// Checks that no two operations have one id, as those of two resources with one noun would: generators of clients
  /// name functions by it.
  private func checkOperationIDs() throws {
    var known: [JSONValue: Text] = [:]
    for path in paths.keys.sorted() {
      let place: Text = "/paths/\(path)"
      let operations = try Self.object(paths[path], place)
      for method in operations.keys.sorted() {
        guard case .object(let members)? = operations[method], let id = members["operationId"]
        else {
          continue
        }
        let other = known.updateValue(path, forKey: id)
        try Self.require(
          other == nil, place, "\(other ?? "") has an operation with the same id, \(id)")
      }
    }
  }

  /// Checks that the document describes all routes.
  ///
  /// - Throws: ``ApplicationError/invalidDocument(place:reason:)`` that names the first route which it does not
  ///   describe.
  func check(_ routes: [RouteDescription]) throws {
    for route in routes {
      let place = "/paths/\(route.pattern)"
      let operations = try Self.object(paths[Text(route.pattern)], Text(place))
      try Self.require(
        operations[Text(route.method.rawValue.lowercased())] != nil, Text(place),
        """
        the route \(route.method.rawValue) \(route.pattern) is not described; a feature adds a route with its \
        description by on(_:_:_:_:), or describes it by document(_:)
        """)
    }
  }

  /// The document as canonical JSON.
  func canonicalBytes() -> [UInt8] {
    var members = members
    members["tags"] = .array(Array(tags.values))
    members["paths"] = .object(paths)
    members["components"] = .object(components.mapValues { .object($0) })
    return JSONValue.object(members).canonicalBytes()
  }

  /// Returns a schema with the components that it refers to in its `$defs`, so that it is of use without this
  /// document.
  ///
  /// - Parameters:
  ///   - schema: A schema of the document.
  ///   - commands: The commands to which the component `Command` is reduced, which has those of all screens.
  /// - Throws: ``ApplicationError/invalidDocument(place:reason:)`` if the schema refers to a component that
  ///   does not exist.
  /// - Complexity: O(*n*), where *n* is the size of the schema with all that it refers to.
  func standalone(_ schema: JSONValue, commands: [CommandDescriptor]) throws -> JSONValue {
    var definitions: [Text: JSONValue] = [:]
    func definition(_ name: Text) throws -> JSONValue {
      if name == "Command" {
        return [
          "type": "object", "required": ["type"],
          "properties": ["type": ["enum": .array(commands.map { .string($0.type) })]],
          "description": "One of the commands of this screen.",
        ]
      }
      guard let schema = components["schemas"]?[name] else {
        throw ApplicationError.invalidDocument(
          place: "/components/schemas/\(name)",
          reason: "a schema refers to this component, which does not exist")
      }
      return schema
    }
    func rewritten(_ value: JSONValue) throws -> JSONValue {
      switch value {
      case .string(let text):
        guard text.hasPrefix(Self.schemas) else { return value }
        let name = Text(text.string.dropFirst(Self.schemas.byteCount))
        if definitions[name] == nil {
          definitions[name] = .null
          definitions[name] = try rewritten(definition(name))
        }
        return .string("#/$defs/\(name)")
      case .array(let elements): return .array(try elements.map(rewritten))
      case .object(let members): return .object(try members.mapValues(rewritten))
      default: return value
      }
    }
    var root = schema
    // A schema that is only a reference becomes the schema that it refers to.
    if case .object(let members) = schema, members.count == 1,
      case .string(let reference)? = members["$ref"], reference.hasPrefix(Self.schemas)
    {
      root = try definition(Text(reference.string.dropFirst(Self.schemas.byteCount)))
    }
    guard case .object(var members) = try rewritten(root), !definitions.isEmpty else { return root }
    var own: [Text: JSONValue] = [:]
    if case .object(let known)? = members["$defs"] { own = known }
    members["$defs"] = .object(own.merging(definitions) { $1 })
    return .object(members)
  }

  /// The place of the schemas in the document.
  static let schemas: Text = "#/components/schemas/"

  /// Returns names as one name in upper camel case, such as `AddBoard` for `add-board`.
  static func componentName(_ names: Text...) -> Text {
    let words = names.flatMap { name in
      name.string.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    }
    return Text(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())
  }
}

extension OpenAPIDocument {
  private mutating func add(
    _ fragment: JSONValue, generated: [Text: JSONValue], ownPaths: [Text: JSONValue],
    ownComponents: [Text: [Text: JSONValue]]
  ) throws {
    var rest = try Self.object(fragment, "")
    try add(tags: rest.removeValue(forKey: "tags"))
    for (path, item) in try Self.object(rest.removeValue(forKey: "paths"), "/paths") {
      // Several routes of one path may be described one by one.
      let described = try Self.object(paths[path], "/paths/\(path)").keys.filter {
        $0 != "parameters"
      }
      let operations = try Self.object(item, "/paths/\(path)").keys
      try Self.require(
        ownPaths[path] != nil || Set(described).isDisjoint(with: operations), "/paths/\(path)",
        "two features describe this path")
      paths[path] = try paths[path].map { try Self.joined($0, item, at: "/paths/\(path)") } ?? item
    }
    for (kind, definitions)
      in try Self.object(rest.removeValue(forKey: "components"), "/components")
    {
      for (name, definition) in try Self.object(definitions, "/components/\(kind)") {
        let known = components[kind]?[name]
        let place: Text = "/components/\(kind)/\(name)"
        if let known, kind == "schemas", generated[name] != nil {
          components[kind]?[name] = known.mergePatched(with: definition)
        } else if let known, ownComponents[kind]?[name] != nil {
          // Joined with another schema of an object, it would describe neither.
          try Self.require(
            try kind != "schemas" || Self.object(definition, place)["required"] == nil, place,
            "the server has a component of this name: give the resource another noun")
          components[kind]?[name] = try Self.joined(known, definition, at: place)
        } else {
          try Self.require(
            known == nil || known == definition, place,
            "two features define this component differently")
          components[kind, default: [:]][name] = definition
        }
      }
    }
    if let more = rest.removeValue(forKey: "problems") {
      problems = try Self.object(
        Self.joined(.object(problems), more, at: "/problems"), "/problems")
    }
    if let name = rest.keys.min() {
      throw ApplicationError.invalidDocument(
        place: "/\(name)", reason: "a feature must not add a member of this name")
    }
  }

  private mutating func add(tags: JSONValue?) throws {
    guard case .array(let elements)? = tags else { return }
    for tag in elements {
      guard case .string(let name)? = try Self.object(tag, "/tags")["name"] else {
        throw ApplicationError.invalidDocument(place: "/tags", reason: "a tag has no name")
      }
      self.tags[name] =
        try self.tags[name].map { try Self.joined($0, tag, at: "/tags/\(name)") } ?? tag
    }
  }

  /// Adds the table of problems to the description of their schema.
  private mutating func addProblems() throws {
    var table = "| code | status | when |\n|---|---|---|\n"
    var statuses: [Text: Text] = [:]
    for status in problems.keys.sorted() {
      let codes = try Self.object(problems[status], "/problems/\(status)")
      for code in codes.keys.sorted() {
        guard case .string(let description)? = codes[code] else {
          throw ApplicationError.invalidDocument(
            place: "/problems/\(status)/\(code)", reason: "the problem has no text")
        }
        let other = statuses.updateValue(status, forKey: code)
        try Self.require(
          other == nil, "/problems/\(status)/\(code)", "the problem has another status, too")
        table += "| `\(code)` | \(status) | \(description) |\n"
      }
    }
    guard case .object(var members)? = components["schemas"]?["ProblemDetails"],
      case .string(let description)? = members["description"]
    else { return }
    members["description"] = .string(description.string.replacing("{problems}\n", with: table))
    components["schemas"]?["ProblemDetails"] = .object(members)
  }

  /// Returns the members of an object, and none if there is no value.
  static func object(_ value: JSONValue?, _ place: Text) throws -> [Text: JSONValue] {
    guard let value else { return [:] }
    guard case .object(let members) = value else {
      throw ApplicationError.invalidDocument(place: place, reason: "expected an object")
    }
    return members
  }

  /// Joins two values: objects member by member, and arrays one after the other without duplicates.
  static func joined(_ old: JSONValue, _ new: JSONValue, at place: Text) throws -> JSONValue {
    switch (old, new) {
    case (.object(var members), .object(let new)):
      for (name, member) in new {
        members[name] =
          try members[name].map { try joined($0, member, at: "\(place)/\(name)") } ?? member
      }
      return .object(members)
    case (.array(let old), .array(let new)):
      return .array(old + new.filter { !old.contains($0) })
    default:
      try require(old == new, place, "there are two values, \(old) and \(new)")
      return old
    }
  }

  /// Throws the error of an invalid document unless a condition holds.
  static func require(_ condition: Bool, _ place: Text, _ reason: Text) throws {
    if !condition { throw ApplicationError.invalidDocument(place: place, reason: reason) }
  }
}

extension JSONValue {
  /// Returns a schema that refers to a component of the OpenAPI document.
  ///
  /// ```swift
  /// JSONValue.reference(toSchema: "Date")  // {"$ref":"#/components/schemas/Date"}
  /// ```
  public static func reference(toSchema component: Text) -> JSONValue {
    ["$ref": .string("\(OpenAPIDocument.schemas)\(component)")]
  }
}

extension OpenAPIDocument {
  /// The description of the protocol, which is the same in each application.
  static let base: JSONValue = {
    var size = 0
    let file = UnsafeBufferPointer(start: viewdelta_openapi(&size), count: size)
    do throws(JSONParseError) {
      return try JSONValue(parsing: file)
    } catch {
      preconditionFailure("the base of the OpenAPI document is part of the product: \(error)")
    }
  }()
}
