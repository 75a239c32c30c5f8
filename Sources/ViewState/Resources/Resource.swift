public import CanonicalJSON
public import Snapshots

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
/// In a body the id may be left out, and a member that is `null` counts as absent. Members that are not
/// among the fields are ignored, or refused if ``refusesUnknownMembers`` is `true`. A field is read if its
/// property can change (`var`).
public protocol Resource: Identifiable<ResourceID>, Codable, Equatable, Sendable {
  /// The id, unique among the resources of a store.
  var id: ResourceID { get }

  /// The members beside `id`, each with a name of its own, and perhaps other names of its own in bodies.
  static var fields: [Field<Self>] { get }

  /// One sentence on the resources, for client developers; empty unless defined.
  static var summary: String { get }

  /// Whether a body with members that are not among the fields is refused; `false` unless defined.
  static var refusesUnknownMembers: Bool { get }

  /// The JSON schema of a resource; unless defined, it is made of the fields.
  static var schema: JSONValue { get }

  /// The JSON schema of a body that creates or replaces a resource; unless defined, it is made of the fields.
  static var inputSchema: JSONValue { get }

  /// The resource as JSON, as clients read and write it; unless defined, the id and what the fields write.
  var json: JSONValue { get }

  /// The bytes of the resource that count for the limit of its store; unless defined, those of its texts, summed up
  /// over the fields. Define it if a resource can have any number of other values: each takes memory too.
  var byteCount: Int { get }

  /// Creates a resource, whose fields are read afterwards.
  init(id: ResourceID)

  /// Reads a resource; unless defined, field by field.
  ///
  /// - Parameters:
  ///   - body: The body of the request.
  ///   - assigned: The id if the body has none; `nil` if it must have one.
  /// - Throws: `JSONShapeError` if the id is missing, or if a field refuses its member.
  init(_ body: JSONReader, assigned: ResourceID?) throws(JSONShapeError)

  /// Reads a resource that replaces another one; unless defined, it gets the id of the other one if the body has none.
  init(_ body: JSONReader, replacing current: Self) throws(JSONShapeError)

  /// Checks a rule that concerns several fields or several resources; does nothing unless defined.
  ///
  /// It is called for each resource that a client, a command or a data file creates or replaces, when the write is
  /// applied, so no other write can come in between. The write is refused with a 422 that has the pointer and the
  /// message of the error:
  ///
  /// ```swift
  /// extension Booking {
  ///   func check(among all: KeyedSequence<Booking>) throws {
  ///     let other = all.first {
  ///       $0.id != id && $0.room == room && $0.from < until && from < $0.until
  ///     }
  ///     if let other {
  ///       throw JSONShapeError(["from"], "the room is booked until \(other.until.rawValue)")
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// A new rule of a program holds from the next write to each resource: the resources in a journal are not checked
  /// again if SIGTERM ended the last server. After a crash the program applies the last inputs by its own rules, so a
  /// new rule may refuse some that were accepted: see the article Keep what clients change.
  ///
  /// - Parameter all: The resources of the same collection, or of the same parent, before the write. The
  ///   resource that this one replaces is among them, under the same id. For a data file, all those of the file.
  /// - Throws: `JSONShapeError` with the path of the member at fault, such as `["from"]`. Any other error is shown
  ///   without a path.
  /// - Complexity: A data file calls it once for each resource. A check that reads all others takes O(*n*²) for the
  ///   file, where *n* is the number of its resources.
  func check(among all: KeyedSequence<Self>) throws
}

extension Resource {
  public static var summary: String { "" }
  public static var refusesUnknownMembers: Bool { false }
  public func check(among all: KeyedSequence<Self>) throws {}

  /// Checks the rule. An error of another type becomes a `JSONShapeError` without a path.
  func checkRule(among all: KeyedSequence<Self>) throws(JSONShapeError) {
    do { try check(among: all) } catch {
      throw error as? JSONShapeError ?? JSONShapeError([], "\(error)")
    }
  }

  public init(_ body: JSONReader, assigned: ResourceID?) throws(JSONShapeError) {
    let fields = Self.fields
    // A set of all names would take longer than the reading.
    func isKnown(_ name: Text) -> Bool { name == "id" || fields.contains { $0.isNamed(name) } }
    if Self.refusesUnknownMembers {
      try body.rejectUnknownMembers(
        besides: Set(fields.filter { $0.inputSchema != nil }.map(\.name) + ["id"]),
        unless: isKnown)
    } else {
      try body.noteUnknownMembers(unless: isKnown)
    }
    self.init(id: try body.resourceID("id", assigned: assigned))
    for field in fields { try field.read(body, into: &self) }
  }

  public init(_ body: JSONReader, replacing current: Self) throws(JSONShapeError) {
    try self.init(body, assigned: current.id)
  }

  /// Reads a resource whose body must have an id.
  ///
  /// - Throws: An error that points to the first member which is missing, or has a wrong value.
  public init(_ body: JSONReader) throws(JSONShapeError) { try self.init(body, assigned: nil) }

  /// The id and the members that the fields write.
  public var json: JSONValue {
    var members = [Text: JSONValue](Self.fields, of: self)
    members["id"] = id.json
    return .object(members)
  }

  public var byteCount: Int {
    var byteCount = id.text.byteCount
    for field in Self.fields { byteCount += field.write(self)?.textByteCount ?? 0 }
    return byteCount
  }

  /// Checks the names in ``fields``, before clients write such resources.
  ///
  /// - Precondition: No two fields have a common name, and none is named `id`.
  package static func checkFields() {
    fields.flatMap(\.namesInBodies).checkDiffer(
      besides: ["id"], in: "resources of type \(Self.self)")
  }

  /// Checks that JSON carries all numbers that fields compute of the resource. Those that a body has were
  /// checked when they were read.
  ///
  /// - Throws: `JSONShapeError` that names the field.
  func checkComputed() throws(JSONShapeError) {
    for field in Self.fields
    where field.inputSchema == nil && field.write(self)?.isWritable == false {
      throw JSONShapeError(
        [], "expected values of which \"\(field.name)\" follows as a finite number within ±2^53")
    }
  }

  /// Checks the texts and numbers of a resource that no body has: a journal could not read a wrong one again. Lists and
  /// objects are not checked, because that would take as long as reading them.
  ///
  /// - Throws: `JSONShapeError` with the path of the field.
  func checkPlainInputs() throws(JSONShapeError) {
    var copy = self
    for field in Self.fields where field.isPlainInput {
      let members = field.write(self).map { [field.name: $0] } ?? [:]
      try field.read(JSONReader(.object(members)), into: &copy)
    }
  }

  /// Returns a patch in which each alias of a member is replaced by the name of the member. If the patch has several
  /// names of one member, the first that is not `null` counts, as in a body: the name, then the aliases in their order.
  static func withOwnNames(_ patch: JSONValue) -> JSONValue {
    guard case .object(var members) = patch else { return patch }
    for field in fields where !field.aliases.isEmpty {
      let sent = field.namesInBodies.compactMap { members.removeValue(forKey: $0) }
      members[field.name] = sent.first { $0 != .null } ?? sent.first
    }
    return .object(members)
  }

  /// Returns an error with the name under which a patch has the member, which may be an alias.
  static func error(_ error: JSONShapeError, in patch: JSONValue) -> JSONShapeError {
    guard case .object(let members) = patch, let name = error.pointer.tokens.first,
      let field = fields.first(where: { $0.name == name }),
      let sent = field.namesInBodies.first(where: { members[$0, default: .null] != .null })
    else { return error }
    return JSONShapeError([sent] + error.pointer.tokens.dropFirst(), error.message)
  }
}

/// Coded as `json`.
extension Resource {
  public init(from decoder: any Decoder) throws {
    Self.declareNames()
    try self.init(JSONReader(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Adds the names of the members to those that are collected: fields read them, which the decoder does not see.
  static func declareNames() {
    DeclaredNames.current?.insertNames(of: Self.self) { [schema, inputSchema] }
  }
}

extension JSONValue {
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
