public import CanonicalJSON
public import Snapshots

/// A type of rows: its name, its fields, and the commands that a user can send with such a row.
///
/// ```swift
/// static let grocery = RowType("grocery", of: Item.self, "Something to buy.") {
///   Field("name", \.name)
///   Field("isBought", \.isBought)
///   Action(buy, "Buy") { $0.id }
/// }
///
/// grocery("item/1", Item(id: 1, name: "Milk"))
/// ```
public struct RowType<Model: Equatable & Sendable>: Sendable {
  /// The member `type` of the rows.
  public let name: Text
  /// One sentence on the rows, for client developers.
  public let summary: String
  private let fields: [Field<Model>]
  private let actions: [Action<Model>]
  /// The names of the commands of the actions, and of those by which values are entered.
  private let commands: [Text]
  /// Makes the row of an id. A closure, because a method of a generic type looks up that type each time.
  fileprivate let make: @Sendable (Text, Model) -> Row
  private struct Member {
    let name: Text
    let add: @Sendable (Model, inout RowTemplate.Writer) -> Void
  }

  /// Tells rows of different types apart that show one model: the names of the type, of its fields and of
  /// its commands.
  fileprivate let kind: Text

  /// Declares a type of rows.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - model: The type of the values that the rows show.
  ///   - summary: One sentence on the rows, for client developers.
  ///   - content: The fields, and the actions. The first action that a row offers is its member `action`, and the
  ///     others that it offers are in its list `moreActions`, in their order.
  /// - Precondition: No two fields have one name, and none is named `id`, `type`, `action` or `moreActions`.
  public init(
    _ name: Text, of model: Model.Type = Model.self, _ summary: String = "",
    @RowBuilder<Model> _ content: () -> [RowMember<Model>] = { [] }
  ) {
    let content = content()
    self.name = name
    self.summary = summary
    fields = content.compactMap(\.field)
    let actions = content.compactMap(\.action)
    self.actions = actions
    commands = content.compactMap(\.command)
    kind = Text(
      ([name] + fields.map(\.name) + commands).map(\.string).joined(separator: " "))
    fields.map(\.name).checkDiffer(
      besides: ["id", "type", "action", "moreActions"], in: "rows of type \(name)")
    var members = fields.map { field in
      // Read once, and not for each row.
      let write = field.write
      return Member(name: field.name) { $1.add(write($0)) }
    }
    if !actions.isEmpty {
      members.append(Member(name: "action") { Action.write(firstOf: actions, of: $0, into: &$1) })
    }
    if actions.count > 1 {
      members.append(
        Member(name: "moreActions") { Action.write(othersOf: actions, of: $0, into: &$1) })
    }
    let sorted = members.sorted { $0.name < $1.name }
    let template = RowTemplate(type: name, names: sorted.map(\.name))
    // One closure that calls the others, because a list of them would look up their type, too.
    var values: @Sendable (Model, inout RowTemplate.Writer) -> Void = { _, _ in }
    for member in sorted {
      values = { [values] model, row in
        values(model, &row)
        member.add(model, &row)
      }
    }
    make = { [values] id, model in template.row(id) { values(model, &$0) } }
  }

  /// Declares a row. It is rebuilt only if the model or the type is new under this id or has changed.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - model: The value that the row shows.
  ///   - generation: A number that is not sent. If it changes, clients draw the row again, even if nothing else
  ///     has changed, for example after a command that reloads a map: `map("map", state.map, generation:
  ///     state.timesReloaded)`.
  /// - Complexity: O(1) expected, and one comparison of models, if the model has not changed.
  public func callAsFunction(_ id: Text, _ model: Model, generation: Int = 0) -> RowPart {
    let kind = generation == 0 ? kind : "\(kind) \(generation)"
    // It captures only `make`: each row would retain the rest of the type.
    return RowPart(cached: { [make] cache, rows in
      rows.append(cache.row(id, for: model, of: kind) { make(id, $0).generation(generation) })
    })
  }

  /// Makes a row.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the row in bytes.
  public func row(_ id: Text, _ model: Model) -> Row { make(id, model) }

  /// The description of the type for client developers.
  public var descriptor: RowTypeDescriptor {
    var members: [MemberSchema] = [
      ("id", ["type": "string"], true), ("type", ["const": .string(name)], true),
    ]
    if !actions.isEmpty {
      // Behind one that each row offers, none comes first.
      let always = actions.firstIndex { !$0.isConditional }
      members.append(
        ("action", Action.schema(actions[...(always ?? actions.count - 1)]), always != nil))
    }
    if actions.count > 1 {
      let schema: JSONValue = ["type": "array", "items": Action.schema(actions[1...])]
      members.append(("moreActions", schema, actions.count { !$0.isConditional } > 1))
    }
    members += fields.map { ($0.name, $0.schema.withoutSizeLimits, $0.isRequired) }
    return RowTypeDescriptor(
      name: name, summary: summary, schema: .objectSchema(members, description: summary),
      commands: commands)
  }
}

extension [Text] {
  /// Checks the names of the members of an object.
  ///
  /// - Precondition: No two are equal, and none is reserved.
  func checkDiffer(besides reserved: Set<Text>, in place: @autoclosure () -> String) {
    var known = reserved
    for name in self {
      guard known.insert(name).inserted else {
        fatalError("\(place()) have several members named \(name)")
      }
    }
  }
}

extension JSONValue {
  /// The same JSON schema without the limits on the sizes of texts and lists: they are checked when a value is read,
  /// and a row has what a screen writes.
  fileprivate var withoutSizeLimits: JSONValue {
    guard case .object(var schema) = self else { return self }
    for limit: Text in ["minLength", "maxLength", "minItems", "maxItems"] { schema[limit] = nil }
    for (keyword, value) in schema {
      switch (keyword, value) {
      case ("items", _), ("additionalProperties", _): schema[keyword] = value.withoutSizeLimits
      case ("properties", .object(let members)):
        schema[keyword] = .object(members.mapValues(\.withoutSizeLimits))
      case ("anyOf", .array(let schemas)), ("oneOf", .array(let schemas)):
        schema[keyword] = .array(schemas.map(\.withoutSizeLimits))
      default: break
      }
    }
    return .object(schema)
  }
}

extension RowType where Model == Text {
  /// Declares rows with one field, `text`.
  public init(text name: Text, _ summary: String = "") {
    self.init(name, of: Text.self, summary) { Field("text", \Text.self, .text(0...65536)) }
  }
}

/// A model without fields, for rows that are always the same.
public struct NoFields: Codable, Hashable, Sendable {
  public init() {}
}

extension RowType where Model == NoFields {
  /// Declares a row without fields.
  public func callAsFunction(_ id: Text) -> RowPart { self(id, NoFields()) }
}

/// A field or an action of a ``RowType``, or a command that one of its fields has.
public enum RowMember<Model>: Sendable {
  case field(Field<Model>)
  case action(Action<Model>)
  case command(Text)

  var field: Field<Model>? { if case .field(let field) = self { field } else { nil } }
  var action: Action<Model>? { if case .action(let action) = self { action } else { nil } }
  /// The name of the command that the member sends.
  var command: Text? {
    switch self {
    case .field: nil
    case .action(let action): action.command
    case .command(let name): name
    }
  }
}

/// A part of the content of a ``RowType``: a ``Field``, an ``Action``, an ``EnteredValue``, or a list of them.
public protocol RowContent<Model> {
  associatedtype Model
  /// The fields and actions, in their order.
  var rowMembers: [RowMember<Model>] { get }
}

extension Field: RowContent {
  public var rowMembers: [RowMember<Model>] { [.field(self)] }
}

extension Action: RowContent {
  public var rowMembers: [RowMember<Model>] { [.action(self)] }
}

extension Array: RowContent where Element: RowContent {
  public var rowMembers: [RowMember<Element.Model>] { flatMap(\.rowMembers) }
}

/// Builds the content of a ``RowType``: fields, actions and lists of them.
@resultBuilder
public enum RowBuilder<Model> {
  // One function without overloads: with overloads, the compiler does not say which property of a field is wrong.
  public static func buildExpression(_ content: some RowContent<Model>) -> [RowMember<Model>] {
    content.rowMembers
  }

  public static func buildBlock(_ parts: [RowMember<Model>]...) -> [RowMember<Model>] {
    Array(parts.joined())
  }

  /// Omits the content if the condition is false when the type is declared. For a member that only some rows have,
  /// use an optional field instead.
  public static func buildOptional(_ part: [RowMember<Model>]?) -> [RowMember<Model>] {
    part ?? []
  }

  public static func buildEither(first: [RowMember<Model>]) -> [RowMember<Model>] { first }

  public static func buildEither(second: [RowMember<Model>]) -> [RowMember<Model>] { second }
}

extension ForEach where Element: Identifiable & Equatable & Sendable, Element.ID: Sendable {
  /// Declares a row of a type for each element of a keyed sequence.
  ///
  /// - Parameters:
  ///   - elements: The elements, in the order of their rows.
  ///   - type: The type of the rows.
  ///   - generation: Returns the generation of the row of an element. If it changes, clients draw the row again:
  ///     `ForEach(state.maps, as: map, generation: \.timesReloaded) { "map/\($0.id)" }`.
  ///   - id: Returns the id of the row of an element.
  /// - Complexity: O(*k* log *n*) expected in each assembly, where *n* is the number of elements and *k* the
  ///   number of those that changed.
  public init(
    _ elements: KeyedSequence<Element>, as type: RowType<Element>,
    generation: @escaping @Sendable (Element) -> Int = { _ in 0 },
    id: @escaping @Sendable (Element) -> Text
  ) {
    self.init(elements, of: type.kind) { [make = type.make] in
      make(id($0), $0).generation(generation($0))
    }
  }
}

extension ForEach where Element: Equatable & Sendable {
  /// Declares a row of a type for each element of an array.
  ///
  /// - Parameters:
  ///   - elements: The elements, in the order of their rows.
  ///   - type: The type of the rows.
  ///   - generation: Returns the generation of the row of an element. If it changes, clients draw the row again.
  ///   - id: Returns the id of the row of an element.
  /// - Complexity: O(*n*) expected in each assembly, where *n* is the number of elements.
  public init(
    _ elements: [Element], as type: RowType<Element>,
    generation: @escaping @Sendable (Element) -> Int = { _ in 0 },
    id: @escaping @Sendable (Element) -> Text
  ) {
    self.init(elements, id: id, of: type.kind) { [make = type.make] in
      make($0, $1).generation(generation($1))
    }
  }
}
