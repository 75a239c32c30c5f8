public import CanonicalJSON
public import ViewState

/// An object in the description of a form whose members are declared once: reading, writing and the JSON schema
/// follow.
public protocol Described: Equatable, Sendable {
  /// The members.
  static var fields: [Field<Self>] { get }

  /// Creates a value into which the members are read.
  init()

  /// Checks whether the members fit together; does nothing unless defined.
  ///
  /// - Throws: `JSONShapeError` if they do not fit together.
  func check(_ reader: JSONReader) throws(JSONShapeError)
}

extension Described {
  public func check(_ reader: JSONReader) throws(JSONShapeError) {}

  /// Reads the members among others.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    self.init()
    for field in Self.fields { try field.read(reader, into: &self) }
    try check(reader)
  }

  /// The members as `init(_:)` reads them.
  var members: [Text: JSONValue] { [Text: JSONValue](Self.fields, of: self) }

  static var memberSchemas: [MemberSchema] { fields.map(\.memberSchema) }
}

/// The members that only one kind of rows has.
public protocol RowDescription: Described {
  /// The name of the kind in descriptions.
  static var kind: Text { get }

  /// Checks that the rows that this row names exist and are of a kind that fits; does nothing unless defined.
  ///
  /// - Parameters:
  ///   - row: The id of this row.
  ///   - rows: All rows of the form.
  /// - Throws: `JSONShapeError` with a pointer that begins at the description of this row.
  func checkReferences(
    of row: ResourceID, among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError)
}

extension RowDescription {
  public func checkReferences(
    of row: ResourceID, among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError) {}
}

// MARK: - Values of descriptions

extension ValueType {
  /// The type of a member that is left out if it has this value.
  func usually(_ value: Value) -> ValueType where Value: Equatable {
    ValueType(
      schema: schema, absent: value, read: { (json) throws(JSONShapeError) in try read(json) },
      write: { $0 == value ? nil : write($0) })
  }
}

extension ValueType<Text> {
  /// The most bytes of a label or a title.
  static let longestLabel = 1_000

  /// The type of labels and titles, which are not empty.
  static let label = text(
    ["type": "string", "minLength": 1, "maxLength": .integer(longestLabel)],
    "1 to \(longestLabel) bytes of text"
  ) { (1...longestLabel).contains($0.byteCount) }.described("At most \(longestLabel) bytes.")
}

extension ValueType<ResourceID> {
  /// The id of a row or a section in a description.
  static let descriptionID = ValueType(
    schema: ["type": ["integer", "string"]],
    read: { (json) throws(JSONShapeError) in try ResourceID(json) }, write: \.json)
}
