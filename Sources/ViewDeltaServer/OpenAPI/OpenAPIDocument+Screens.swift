import CanonicalJSON
import OrderedCollections
import ViewState

extension OpenAPIDocument {
  /// Adds the union of the commands, and returns their schemas by the names of the components.
  mutating func addCommands(of screens: [ScreenDescriptor]) throws -> [Text: JSONValue] {
    var schemas: OrderedDictionary<Text, JSONValue> = [:]
    for screen in screens {
      for command in screen.commands {
        let name: Text = "\(Self.componentName(screen.name, command.type))Command"
        let schema = command.schema.mergePatched(with: ["description": .string(command.summary)])
        try Self.define(name, schema, in: &schemas)
      }
    }
    if !schemas.isEmpty {
      try join(["anyOf": .array(schemas.keys.map(JSONValue.reference(toSchema:)))], to: "Command")
    }
    return Dictionary(uniqueKeysWithValues: schemas.map { ($0.key, $0.value) })
  }

  /// Adds the union of the types of rows, and returns their schemas by the names of the components. If screens
  /// have different types of rows of one name, the component of that name is their union.
  mutating func addRowTypes(of screens: [ScreenDescriptor]) throws -> [Text: JSONValue] {
    var types: OrderedDictionary<Text, [(screen: Text, schema: JSONValue)]> = [:]
    for screen in screens {
      for type in screen.rowTypes
      where types[type.name]?.contains(where: { $0.schema == type.schema }) != true {
        types[type.name, default: []].append((screen.name, type.schema))
      }
    }
    var schemas: OrderedDictionary<Text, JSONValue> = [:]
    var references: [Text: JSONValue] = [:]
    for (type, found) in types {
      let name: Text = "\(Self.componentName(type))Row"
      // A generated client takes the first alternative that fits, and drops the members that this one lacks.
      let meanings = found.enumerated()
        .map { (required: Self.requiredCount($1.schema), index: $0, meaning: $1) }
        .sorted { ($1.required, $0.index) < ($0.required, $1.index) }.map(\.meaning)
      let union = try meanings.map { screen, schema -> JSONValue in
        if case .object(let members) = schema, members.count == 1, members["$ref"] != nil {
          return schema
        }
        let name = meanings.count == 1 ? name : "\(Self.componentName(screen, type))Row"
        try Self.defineAlternatives(name, schema, in: &schemas)
        return .reference(toSchema: name)
      }
      if union.count > 1 { try Self.define(name, ["anyOf": .array(union)], in: &schemas) }
      references[type] = union.count > 1 ? .reference(toSchema: name) : union[0]
    }
    if !types.isEmpty {
      let union = types.keys.compactMap { references[$0] }
      let mapping = try references.compactMapValues { try Self.object($0, "")["$ref"] }
      try join(
        [
          "oneOf": .array(union),
          "discriminator": ["propertyName": "type", "mapping": .object(mapping)],
        ], to: "Row")
    }
    return Dictionary(uniqueKeysWithValues: schemas.map { ($0.key, $0.value) })
  }

  /// The number of members that a schema requires; the largest one if it has alternatives.
  private static func requiredCount(_ schema: JSONValue) -> Int {
    guard case .object(let members) = schema else { return 0 }
    if case .array(let alternatives)? = members["anyOf"] {
      return alternatives.map(requiredCount).max() ?? 0
    }
    guard case .array(let names)? = members["required"] else { return 0 }
    return names.count
  }

  /// Adds the names of the screens with their keys, those of the sources, and the codes of their failures.
  mutating func addNames(of screens: [ScreenDescriptor]) throws {
    let table = screens.map { screen in
      "| `\(screen.name)` | `\(screen.keyName)` | \(screen.summary.replacing("|", with: "\\|")) |\n"
    }
    if !table.isEmpty {
      append(
        "\n\n| screen | key | content |\n|---|---|---|\n" + table.joined(),
        toDescriptionOf: "screen", in: "parameters")
    }
    let failures = screens.flatMap(\.failures).reduce(
      into: OrderedDictionary<Text, String>()
    ) { failures, failure in
      failures[failure.code] = failures[failure.code] ?? failure.message
    }
    append(
      failures.map { "\n| `\($0)` | \($1.replacing("|", with: "\\|")) |" }.joined(),
      toDescriptionOf: "LoadFailureCode", in: "schemas")
    let sources = Set(screens.flatMap(\.sources)).sorted()
    if !sources.isEmpty {
      try join(["enum": .array(sources.map(JSONValue.string))], to: "SourceName")
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
  private mutating func join(_ members: JSONValue, to schema: Text) throws {
    let known = components["schemas"]?[schema] ?? [:]
    components["schemas"]?[schema] = try Self.joined(
      known, members, at: "/components/schemas/\(schema)")
  }

  /// Adds a schema. If a screen has several types of rows of one name, each has a component, because the
  /// generators of clients name models after components.
  private static func defineAlternatives(
    _ name: Text, _ schema: JSONValue, in schemas: inout OrderedDictionary<Text, JSONValue>
  ) throws {
    guard case .object(let members) = schema, members.count == 1,
      case .array(let alternatives)? = members["anyOf"]
    else { return try define(name, schema, in: &schemas) }
    let references = try alternatives.enumerated().map { index, alternative -> JSONValue in
      let name: Text = "\(name)\(index + 1)"
      try define(name, alternative, in: &schemas)
      return .reference(toSchema: name)
    }
    try define(name, ["anyOf": .array(references)], in: &schemas)
  }

  private static func define(
    _ name: Text, _ schema: JSONValue, in schemas: inout OrderedDictionary<Text, JSONValue>
  ) throws {
    let known = schemas.updateValue(schema, forKey: name)
    try require(
      known == nil || known == schema, "/components/schemas/\(name)",
      "two commands or types of rows have the name of this component")
  }

  /// Returns a schema for a place in the document, with the references within the schema changed to it.
  static func moved(_ schema: JSONValue, to place: Text) -> JSONValue {
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
