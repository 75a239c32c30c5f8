public import CanonicalJSON
import OrderedCollections
import ViewState

/// The API as one OpenAPI 3.1 document: a base with the protocol, joined with what the screens and features
/// of an application add.
///
/// From the descriptors of the screens come a component for each command (`GroceriesAddCommand`) and for
/// each type of rows (`GroceryRow`), the unions `Command` and `Row`, and the names of screens and sources.
/// A fragment of a feature is an object with any of these members:
///
/// - `tags`, `paths` and `components`, as in an OpenAPI document;
/// - `problems`: by status and code, when the feature answers with that problem. They become rows of the
///   table in `ProblemDetails`.
///
/// What the base has, such as the examples of an operation, a fragment may add members and elements to. If
/// it has a component of the name of a command or a type of rows, that one is a JSON Merge Patch (RFC
/// 7396) on the schema in the descriptor, for example to add `examples`.
public struct OpenAPIDocument: Sendable {
  private var members: [Text: JSONValue] = [:]
  private var tags: OrderedDictionary<Text, JSONValue> = [:]
  private var paths: [Text: JSONValue] = [:]
  private var components: [Text: [Text: JSONValue]] = [:]
  private var problems: [Text: JSONValue] = [:]

  /// Puts the document together.
  ///
  /// - Precondition: The base and the fragments have the shape above. No two features define one component
  ///   differently or describe the same path, and no fragment contradicts the base.
  /// - Complexity: O(*n*), where *n* is the size of the document.
  init(base: JSONValue, screens: [ScreenDescriptor], fragments: [JSONValue]) {
    members = Self.object(base, "")
    let own = (
      paths: Self.object(members.removeValue(forKey: "paths"), "/paths"),
      components: Self.object(members.removeValue(forKey: "components"), "/components")
        .mapValues { Self.object($0, "/components") }
    )
    (paths, components) = own
    problems = Self.object(members.removeValue(forKey: "problems"), "/problems")
    add(tags: members.removeValue(forKey: "tags"))

    let generated = addCommands(of: screens).merging(addRowTypes(of: screens)) { $1 }
    for (name, schema) in generated {
      let known = components["schemas"]?.updateValue(schema, forKey: name)
      precondition(
        known == nil, "a command or type of rows has the name of the OpenAPI component \(name)")
    }
    for fragment in fragments {
      add(fragment, generated: generated, ownPaths: own.paths, ownComponents: own.components)
    }
    for name in generated.keys {
      if let schema = components["schemas"]?[name] {
        components["schemas"]?[name] = Self.moved(schema, to: "\(Self.schemas)\(name)")
      }
    }
    addNames(of: screens)
    addProblems()
  }

  /// The document as canonical JSON.
  func canonicalBytes() -> [UInt8] {
    var members = members
    members["tags"] = .array(Array(tags.values))
    members["paths"] = .object(paths)
    members["components"] = .object(components.mapValues { .object($0) })
    return JSONValue.object(members).canonicalBytes()
  }

  /// Returns a schema that needs nothing else of this document: the components that it refers to are in
  /// its `$defs`.
  ///
  /// - Parameter commands: What the component `Command` is reduced to, which else has those of all screens.
  /// - Precondition: The schema refers only to components that exist.
  /// - Complexity: O(*n*), where *n* is the size of the schema with all that it refers to.
  func standalone(_ schema: JSONValue, commands: [CommandDescriptor]) -> JSONValue {
    var definitions: [Text: JSONValue] = [:]
    func definition(_ name: Text) -> JSONValue {
      if name == "Command" {
        return [
          "type": "object", "required": ["type"],
          "properties": ["type": ["enum": .array(commands.map { .string($0.type) })]],
          "description": "One of the commands of this screen.",
        ]
      }
      guard let schema = components["schemas"]?[name] else {
        preconditionFailure("a schema refers to \(name), which the OpenAPI document does not have")
      }
      return schema
    }
    func rewritten(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text):
        guard text.hasPrefix(Self.schemas) else { return value }
        let name = Text(text.string.dropFirst(Self.schemas.byteCount))
        if definitions[name] == nil {
          definitions[name] = .null
          definitions[name] = rewritten(definition(name))
        }
        return .string("#/$defs/\(name)")
      case .array(let elements): return .array(elements.map(rewritten))
      case .object(let members): return .object(members.mapValues(rewritten))
      default: return value
      }
    }
    var root = schema
    // A reference alone becomes the schema that it leads to.
    if case .object(let members) = schema, members.count == 1,
      case .string(let reference)? = members["$ref"], reference.hasPrefix(Self.schemas)
    {
      root = definition(Text(reference.string.dropFirst(Self.schemas.byteCount)))
    }
    guard case .object(var members) = rewritten(root), !definitions.isEmpty else { return root }
    var own: [Text: JSONValue] = [:]
    if case .object(let known)? = members["$defs"] { own = known }
    members["$defs"] = .object(own.merging(definitions) { $1 })
    return .object(members)
  }

  /// The place of the schemas in the document.
  private static let schemas: Text = "#/components/schemas/"

  /// Returns a schema that is one component of the document.
  public static func reference(_ component: Text) -> JSONValue {
    ["$ref": .string("\(schemas)\(component)")]
  }

  /// Returns names as one name in upper camel case: `AddBoard` of `add-board`.
  static func componentName(_ names: Text...) -> Text {
    let words = names.flatMap { name in
      name.string.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    }
    return Text(words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined())
  }
}

// MARK: - Screens

extension OpenAPIDocument {
  /// Lists the commands in their union and returns their schemas by the names of the components.
  private mutating func addCommands(of screens: [ScreenDescriptor]) -> [Text: JSONValue] {
    var schemas: OrderedDictionary<Text, JSONValue> = [:]
    for screen in screens {
      for command in screen.commands {
        let name: Text = "\(Self.componentName(screen.name, command.type))Command"
        let schema = command.schema.mergePatched(with: ["description": .string(command.summary)])
        Self.define(name, schema, in: &schemas)
      }
    }
    if !schemas.isEmpty {
      join(["anyOf": .array(schemas.keys.map(Self.reference))], to: "Command")
    }
    return Dictionary(uniqueKeysWithValues: schemas.map { ($0.key, $0.value) })
  }

  /// Lists the types of rows in their union and returns their schemas by the names of the components. If
  /// screens mean different rows by one name, the component of that name is the union of theirs.
  private mutating func addRowTypes(of screens: [ScreenDescriptor]) -> [Text: JSONValue] {
    var types: OrderedDictionary<Text, [(screen: Text, schema: JSONValue)]> = [:]
    for screen in screens {
      for type in screen.rowTypes
      where types[type.name]?.contains(where: { $0.schema == type.schema }) != true {
        types[type.name, default: []].append((screen.name, type.schema))
      }
    }
    var schemas: OrderedDictionary<Text, JSONValue> = [:]
    var references: [Text: JSONValue] = [:]
    for (type, meanings) in types {
      let name: Text = "\(Self.componentName(type))Row"
      let union = meanings.map { screen, schema -> JSONValue in
        if case .object(let members) = schema, members.count == 1, members["$ref"] != nil {
          return schema
        }
        let name = meanings.count == 1 ? name : "\(Self.componentName(screen, type))Row"
        Self.define(name, schema, in: &schemas)
        return Self.reference(name)
      }
      if union.count > 1 { Self.define(name, ["anyOf": .array(union)], in: &schemas) }
      references[type] = union.count > 1 ? Self.reference(name) : union[0]
    }
    if !types.isEmpty {
      let union = types.keys.compactMap { references[$0] }
      let mapping = references.compactMapValues { Self.object($0, "")["$ref"] }
      join(
        [
          "oneOf": .array(union),
          "discriminator": ["propertyName": "type", "mapping": .object(mapping)],
        ], to: "Row")
    }
    return Dictionary(uniqueKeysWithValues: schemas.map { ($0.key, $0.value) })
  }

  /// Names the screens with their keys, and the sources.
  private mutating func addNames(of screens: [ScreenDescriptor]) {
    let table = screens.map { screen in
      "| `\(screen.name)` | `\(screen.keyName)` | \(screen.summary.replacing("|", with: "\\|")) |\n"
    }
    if !table.isEmpty {
      append(
        "\n\n| screen | key | what it shows |\n|---|---|---|\n" + table.joined(),
        toDescriptionOf: "screen", in: "parameters")
    }
    let sources = Set(screens.flatMap(\.sources)).sorted()
    if !sources.isEmpty {
      join(["enum": .array(sources.map(JSONValue.string))], to: "SourceName")
    }
  }

  private mutating func append(
    _ text: String, toDescriptionOf name: Text, in kind: Text
  ) {
    guard case .object(var members)? = components[kind]?[name],
      case .string(let description)? = members["description"]
    else { return }
    members["description"] = .string(description.string + text)
    components[kind]?[name] = .object(members)
  }

  /// Adds members to a schema of the base.
  private mutating func join(_ members: JSONValue, to schema: Text) {
    let known = components["schemas"]?[schema] ?? [:]
    components["schemas"]?[schema] = Self.joined(
      known, members, at: "/components/schemas/\(schema)")
  }

  private static func define(
    _ name: Text, _ schema: JSONValue, in schemas: inout OrderedDictionary<Text, JSONValue>
  ) {
    let known = schemas.updateValue(schema, forKey: name)
    precondition(
      known == nil || known == schema,
      "two commands or types of rows are both the OpenAPI component \(name)")
  }

  /// Returns a schema whose references within itself hold at another place of the document.
  private static func moved(_ schema: JSONValue, to place: Text) -> JSONValue {
    switch schema {
    case .array(let elements): return .array(elements.map { moved($0, to: place) })
    case .object(var members):
      for (name, member) in members {
        if name == "$ref", case .string(let reference) = member {
          if reference.hasPrefix("#"), !reference.hasPrefix("#/components/") {
            members[name] = .string("\(place)\(reference.string.dropFirst())")
          }
        } else {
          members[name] = moved(member, to: place)
        }
      }
      return .object(members)
    default: return schema
    }
  }
}

// MARK: - Fragments

extension OpenAPIDocument {
  private mutating func add(
    _ fragment: JSONValue, generated: [Text: JSONValue], ownPaths: [Text: JSONValue],
    ownComponents: [Text: [Text: JSONValue]]
  ) {
    var rest = Self.object(fragment, "")
    add(tags: rest.removeValue(forKey: "tags"))
    for (path, item) in Self.object(rest.removeValue(forKey: "paths"), "/paths") {
      precondition(
        paths[path] == nil || ownPaths[path] != nil,
        "two features describe the path \(path) in the OpenAPI document")
      paths[path] = paths[path].map { Self.joined($0, item, at: "/paths/\(path)") } ?? item
    }
    for (kind, definitions) in Self.object(rest.removeValue(forKey: "components"), "/components") {
      for (name, definition) in Self.object(definitions, "/components/\(kind)") {
        let known = components[kind]?[name]
        let place = "/components/\(kind)/\(name)"
        if let known, kind == "schemas", generated[name] != nil {
          components[kind]?[name] = known.mergePatched(with: definition)
        } else if let known, ownComponents[kind]?[name] != nil {
          components[kind]?[name] = Self.joined(known, definition, at: place)
        } else {
          precondition(
            known == nil || known == definition,
            "two features define \(place) of the OpenAPI document differently")
          components[kind, default: [:]][name] = definition
        }
      }
    }
    if let more = rest.removeValue(forKey: "problems") {
      problems = Self.object(Self.joined(.object(problems), more, at: "/problems"), "/problems")
    }
    precondition(
      rest.isEmpty, "a fragment of the OpenAPI document has the member \(rest.keys.sorted()[0])")
  }

  private mutating func add(tags: JSONValue?) {
    guard case .array(let elements)? = tags else { return }
    for tag in elements {
      guard case .string(let name)? = Self.object(tag, "/tags")["name"] else {
        preconditionFailure("a tag of the OpenAPI document has no name")
      }
      self.tags[name] = self.tags[name].map { Self.joined($0, tag, at: "/tags/\(name)") } ?? tag
    }
  }

  /// Puts the table of problems into their schema.
  private mutating func addProblems() {
    var table = "| code | status | when |\n|---|---|---|\n"
    var statuses: [Text: Text] = [:]
    for status in problems.keys.sorted() {
      let codes = Self.object(problems[status], "/problems/\(status)")
      for code in codes.keys.sorted() {
        guard case .string(let description)? = codes[code] else {
          preconditionFailure("the problem \(code) of the OpenAPI document has no text")
        }
        precondition(
          statuses.updateValue(status, forKey: code) == nil,
          "the problem \(code) of the OpenAPI document has two statuses")
        table += "| `\(code)` | \(status) | \(description) |\n"
      }
    }
    guard case .object(var members)? = components["schemas"]?["ProblemDetails"],
      case .string(let description)? = members["description"]
    else { return }
    members["description"] = .string(description.string.replacing("{problems}\n", with: table))
    components["schemas"]?["ProblemDetails"] = .object(members)
  }

  /// Returns the members of an object; none if it is absent.
  private static func object(_ value: JSONValue?, _ place: String) -> [Text: JSONValue] {
    guard let value else { return [:] }
    guard case .object(let members) = value else {
      preconditionFailure("\(place) of the OpenAPI document is no object")
    }
    return members
  }

  /// Returns two values as one: objects member by member, arrays one behind the other.
  private static func joined(_ old: JSONValue, _ new: JSONValue, at place: String) -> JSONValue {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      return .object(
        new.reduce(into: old) { members, member in
          members[member.key] =
            members[member.key].map {
              joined($0, member.value, at: "\(place)/\(member.key)")
            } ?? member.value
        })
    case (.array(let old), .array(let new)):
      return .array(old + new.filter { !old.contains($0) })
    default:
      precondition(old == new, "the OpenAPI document says two things at \(place): \(old), \(new)")
      return old
    }
  }
}
