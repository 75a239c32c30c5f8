public import CanonicalJSON

/// An element of a store that declares its fields once: reading, writing, `Codable`, JSON schemas and the size
/// in bytes follow.
///
/// ```swift
/// struct Todo: Resource {
///   let id: ResourceID
///   var title: Text = ""
///   var due: Timestamp?
///
///   init(id: ResourceID) { self.id = id }
///
///   static let fields = [
///     Field("title", \Todo.title, .text(1...80), aliases: ["name"]), Field("due", \.due),
///   ]
/// }
/// ```
///
/// In a body an id may be left out, a member that is `null` counts as absent, and members that are not
/// among the fields are ignored. A field is read if its property can change (`var`).
public protocol Resource: SizedResource, Codable {
  /// The members beside `id`, each with its own name.
  static var fields: [Field<Self>] { get }

  /// One sentence on the resources, for client developers; empty unless defined.
  static var summary: String { get }

  /// The JSON schema of a resource; unless defined, it is made of the fields.
  static var schema: JSONValue { get }

  /// The JSON schema of a body that creates or replaces a resource; unless defined, it is made of the fields.
  static var inputSchema: JSONValue { get }

  /// Creates a resource, whose fields are read afterwards.
  init(id: ResourceID)

  /// Reads a resource; unless defined, field by field.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - assigned: The id if the body has none; `nil` if it must have one.
  /// - Throws: `JSONShapeError` if the id is missing, or if a field refuses its member.
  init(_ body: JSONReader, assigned: ResourceID?) throws(JSONShapeError)
}

extension Resource {
  public static var summary: String { "" }

  public init(_ body: JSONReader, assigned: ResourceID?) throws(JSONShapeError) {
    try body.noteUnknownMembers(
      besides: Set(Self.fields.flatMap { [$0.name] + $0.aliases }).union(["id"]))
    self.init(id: try body.resourceID("id", assigned: assigned))
    for field in Self.fields { try field.read(body, into: &self) }
  }

  /// Reads a resource whose body must have an id.
  public init(_ body: JSONReader) throws(JSONShapeError) { try self.init(body, assigned: nil) }

  /// The id and the members that the fields write.
  public var json: JSONValue {
    var members = [Text: JSONValue](Self.fields, of: self)
    members["id"] = id.json
    return .object(members)
  }

  public var byteCount: Int {
    Self.fields.reduce(id.text.byteCount) { $0 + ($1.write(self)?.textByteCount ?? 0) }
  }

  /// The names of members by the other names that they may have in a body.
  public static var aliases: [Text: Text] {
    Dictionary(
      fields.flatMap { field in field.aliases.map { ($0, field.name) } }
    ) { first, _ in first }
  }
}

/// Coded as `json`.
extension Resource {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Resource {
  public static var schema: JSONValue {
    JSONValue.objectSchema(
      fields, with: [("id", ResourceID.valueType.schema, true)], description: summary
    ).mergePatched(with: ["additionalProperties": nil])
  }

  public static var inputSchema: JSONValue { inputSchema(optional: []) }

  /// Returns the JSON schema of a body in which some required members may be left out, because the path of the
  /// request has them.
  package static func inputSchema(optional names: Set<Text>) -> JSONValue {
    var properties: [Text: JSONValue] = ["id": ResourceID.valueType.schema.nullable]
    var required: [JSONValue] = []
    var absent: [JSONValue] = []
    for field in fields {
      guard let schema = field.inputSchema else { continue }
      let isRequired = field.isRequired && !names.contains(field.name)
      let isOptional = !isRequired || !field.aliases.isEmpty
      properties[field.name] = isOptional ? schema.nullable : schema
      for alias in field.aliases {
        properties[alias] = schema.nullable.mergePatched(with: [
          "description": .string("Taken as `\(field.name)` if that is absent.")
        ])
      }
      guard isRequired else { continue }
      if field.aliases.isEmpty {
        required.append(.string(field.name))
      } else {
        let names = [field.name] + field.aliases
        absent.append([
          "properties": .object(
            Dictionary(names.map { ($0, ["type": "null"]) }) { first, _ in first })
        ])
      }
    }
    var schema: [Text: JSONValue] = [
      "type": "object", "properties": .object(properties),
      "description": .string(
        (summary.isEmpty ? "" : summary + "\n\n")
          + "A member that is `null` counts as absent. Unknown members are ignored and not kept."),
    ]
    if !required.isEmpty { schema["required"] = .array(required) }
    // `not`, because generators of clients take a union for a type of its own.
    if absent.count == 1 { schema["not"] = absent[0] }
    if absent.count > 1 { schema["not"] = ["anyOf": .array(absent)] }
    return .object(schema)
  }
}

extension JSONValue {
  /// The JSON schema of the same values and null.
  fileprivate var nullable: JSONValue {
    guard case .object(var members) = self else { return self }
    if case .string? = members["type"], members["const"] == nil, let type = members["type"] {
      members["type"] = [type, "null"]
      if case .array(let values)? = members["enum"] { members["enum"] = .array(values + [.null]) }
      return .object(members)
    }
    return ["anyOf": [self, ["type": "null"]]]
  }

  /// The size of all texts in the value, in bytes.
  fileprivate var textByteCount: Int {
    switch self {
    case .string(let text): text.byteCount
    case .array(let elements): elements.reduce(0) { $0 + $1.textByteCount }
    case .object(let members):
      members.reduce(0) { $0 + $1.key.byteCount + $1.value.textByteCount }
    default: 0
    }
  }
}
