public import CanonicalJSON

/// A member of the JSON form of a model: its name, the property with its value, and the type of the value.
///
/// Rows and resources declare each member once; reading, writing and the JSON schema follow.
///
/// ```swift
/// struct Todo { let id: Int; var title: Text; var due: Timestamp? }
/// let title = Field("title", \Todo.title, .text(1...80))
/// let due = Field("due", \Todo.due)
/// ```
public struct Field<Model>: Sendable {
  private let declaration: Declaration

  /// What is declared, in an object: fields are copied more often than they are used.
  private final class Declaration: Sendable {
    let name: Text
    let aliases: [Text]
    let schema: JSONValue
    let isRequired: Bool
    let isRequiredInBody: Bool
    let write: @Sendable (Model) -> JSONValue?
    let inputSchema: JSONValue?
    let reading: Reading?
    /// Whether a body has the member, and its value is no list and no object.
    let isPlainInput: Bool

    init(
      _ name: Text, _ aliases: [Text], _ schema: JSONValue, isRequired: Bool,
      isRequiredInBody: Bool, _ write: @escaping @Sendable (Model) -> JSONValue?,
      _ inputSchema: JSONValue?, _ reading: Reading?
    ) {
      (self.name, self.aliases, self.schema) = (name, aliases, schema)
      (self.isRequired, self.isRequiredInBody) = (isRequired, isRequiredInBody)
      (self.write, self.inputSchema, self.reading) = (write, inputSchema, reading)
      isPlainInput = ["string", "integer", "number"].contains { type in
        inputSchema.flatMap { try? JSONReader($0).optionalMember("type")?.value } == type
      }
    }
  }

  private typealias Reading =
    @Sendable (JSONReader, inout Model) throws(JSONShapeError) -> Void

  /// The name of the member.
  public var name: Text { declaration.name }
  /// Other names of the member in a body. They are ignored if the member is present under its own name.
  public var aliases: [Text] { declaration.aliases }
  /// The JSON schema of the value.
  public var schema: JSONValue { declaration.schema }
  /// Whether the server always writes the member.
  var isRequired: Bool { declaration.isRequired }
  /// Whether a body must have the member.
  var isRequiredInBody: Bool { declaration.isRequiredInBody }
  var write: @Sendable (Model) -> JSONValue? { declaration.write }
  /// The JSON schema of the value in a body; `nil` if only the server writes the member.
  var inputSchema: JSONValue? { declaration.inputSchema }
  var isPlainInput: Bool { declaration.isPlainInput }

  /// Declares a member for a property, with the type of values of its Swift type.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - path: The path to the property. If the property cannot change, only the server writes the member.
  ///   - summary: A sentence for client developers.
  ///   - aliases: Other names of the member in a body.
  public init<Value: FieldValue>(
    _ name: Text, _ path: any KeyPath<Model, Value> & Sendable, _ summary: String? = nil,
    aliases: [Text] = []
  ) {
    self.init(
      name, path, summary.map(Value.valueType.described) ?? Value.valueType, aliases: aliases)
  }

  /// Declares a member for a property.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - path: The path to the property. If the property cannot change, only the server writes the member.
  ///   - type: The type of values, which checks them.
  ///   - aliases: Other names of the member in a body.
  public init<Value>(
    _ name: Text, _ path: any KeyPath<Model, Value> & Sendable, _ type: ValueType<Value>,
    aliases: [Text] = []
  ) {
    var reading: Reading?
    // Cast once, for a cast takes longer than the reading. It is the object that `path` is, which is
    // `Sendable`; a cast cannot say that.
    if let castPath = path as? WritableKeyPath<Model, Value> {
      nonisolated(unsafe) let writable = castPath
      reading = { (object, model) throws(JSONShapeError) in
        model[keyPath: writable] = try type.read(name, or: aliases, of: object)
      }
    }
    declaration = Declaration(
      name, aliases, type.schema, isRequired: type.isAlwaysWritten,
      isRequiredInBody: type.isRequired, Self.at(path, type.writing),
      reading == nil ? nil : type.inputSchema, reading)
  }

  /// Declares a member that is computed, so that only the server writes it.
  public init<Value: FieldValue>(
    _ name: Text, _ summary: String? = nil, value: @escaping @Sendable (Model) -> Value
  ) {
    let type = summary.map(Value.valueType.described) ?? Value.valueType
    let write = type.writing
    self.init(name: name, schema: type.schema, isRequired: type.isAlwaysWritten) {
      write(value($0))
    }
  }

  /// Reads the member into the property. A property that cannot change keeps its value.
  ///
  /// - Throws: `JSONShapeError` if the member is required and absent, or if its value is wrong.
  public func read(_ object: JSONReader, into model: inout Model) throws(JSONShapeError) {
    try declaration.reading?(object, &model)
  }

  /// Returns the same member of a larger model, which has this model at a path; only the server writes it.
  public func of<Whole>(_ path: any KeyPath<Whole, Model> & Sendable) -> Field<Whole> {
    Field<Whole>(
      name: name, schema: schema, isRequired: isRequired, write: Field<Whole>.at(path, write))
  }

  /// Returns a closure that writes what a model has at a path.
  private static func at<Value>(
    _ path: any KeyPath<Model, Value> & Sendable,
    _ write: @escaping @Sendable (Value) -> JSONValue?
  ) -> @Sendable (Model) -> JSONValue? {
    guard let offset = MemoryLayout<Model>.offset(of: path) else {
      return { write($0[keyPath: path]) }
    }
    // A key path looks up types each time, which takes longer than the rest of a row. `offset(of:)` is the
    // place of a stored property, where a value of its type lies in each model.
    return { model in
      withUnsafePointer(to: model) {
        write((UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee)
      }
    }
  }

  init(
    name: Text, schema: JSONValue, isRequired: Bool,
    write: @escaping @Sendable (Model) -> JSONValue?
  ) {
    declaration = Declaration(
      name, [], schema, isRequired: isRequired, isRequiredInBody: false, write, nil, nil)
  }
}

/// The JSON schema of a member of an object, and whether the server always writes the member.
package typealias MemberSchema = (name: Text, schema: JSONValue, isRequired: Bool)

extension Field {
  package var memberSchema: MemberSchema { (name, schema, isRequired) }

  /// The names that the member may have in a body.
  var namesInBodies: [Text] { [name] + aliases }

  /// Returns whether the member may have a name in a body.
  func isNamed(_ name: Text) -> Bool { self.name == name || aliases.contains(name) }
}

extension [Text: JSONValue] {
  /// Creates the members that fields write for a model, without those that are left out.
  public init<Model>(_ fields: [Field<Model>], of model: Model) {
    self.init(minimumCapacity: fields.count + 2)
    for field in fields { self[field.name] = field.write(model) }
  }
}

extension JSONValue {
  /// Returns the JSON schema of an object with these members and no others.
  static func objectSchema<Model>(
    _ fields: [Field<Model>], with others: [MemberSchema] = [], description: String = ""
  ) -> JSONValue {
    objectSchema(others + fields.map(\.memberSchema), description: description)
  }

  /// Returns the JSON schema of an object with these members and no others.
  package static func objectSchema(
    _ members: [MemberSchema], description: String = ""
  ) -> JSONValue {
    var schema: [Text: JSONValue] = [
      "type": "object", "additionalProperties": false,
      "properties": .object(Dictionary(members.map { ($0.name, $0.schema) }) { first, _ in first }),
      "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
    ]
    if !description.isEmpty { schema["description"] = .string(description) }
    return .object(schema)
  }
}

extension ValueType {
  /// Returns the type of objects that clients write too. Unknown members of a body are ignored.
  ///
  /// ```swift
  /// extension Episode: FieldValue {
  ///   static let valueType = ValueType.object(Episode(), [Field("title", \.title), Field("date", \.date)])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - empty: The value to begin with; the members are read into a copy of it. A property that cannot change, such as
  ///     a `let`, keeps the value that it has there.
  ///   - fields: The members.
  public static func object(_ empty: Value, _ fields: [Field<Value>]) -> ValueType {
    ValueType(
      schema: JSONValue.objectSchema(fields).mergePatched(with: ["additionalProperties": nil]),
      input: .bodySchema(fields),
      read: { (object) throws(JSONShapeError) in
        var value = empty
        try object.noteUnknownMembers { name in fields.contains { $0.isNamed(name) } }
        for field in fields { try field.read(object, into: &value) }
        return value
      },
      write: { .object([Text: JSONValue](fields, of: $0)) })
  }
}

/// A value that is written as an object of fields, such as a part of a row. It cannot be read, so a member that
/// clients write, or that a resource keeps, has a `ValueType.object` instead.
///
/// ```swift
/// struct Leader: FieldObject {
///   let name: Text
///   let score: Int
///   static let fields = [Field("name", \Leader.name), Field("score", \Leader.score)]
/// }
/// ```
public protocol FieldObject: FieldValue {
  /// The members.
  static var fields: [Field<Self>] { get }
}

extension FieldObject {
  /// The type of an object that only the server writes: reading one throws.
  public static var valueType: ValueType<Self> {
    let fields = fields
    return ValueType(
      schema: .objectSchema(fields),
      read: { (json) throws(JSONShapeError) in
        throw json.error("only the server writes this member")
      },
      write: { .object([Text: JSONValue](fields, of: $0)) })
  }
}
