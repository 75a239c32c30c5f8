public import CanonicalJSON

/// A command of a screen: its name, its arguments, and what it does to the state.
///
/// ```swift
/// static let buy = Command("buy", "Ticks something off the list.", .integer("item")) {
///   (state: inout State, id) throws(Refusal) in
///   guard let index = state.items.firstIndex(where: { $0.id == id }) else {
///     throw .unknown("item", id)
///   }
///   state.items[index].isBought = true
/// }
/// ```
///
/// Decoding, checking and the JSON schema follow from the arguments. The closure is pure: it changes the
/// state, and stores through the transaction, and nothing else. If it throws, nothing has changed.
public struct Command<State, each Argument: Sendable>: Sendable {
  /// The member `type` of the body.
  public let name: Text
  /// One sentence on what it does.
  public let summary: String
  private let arguments: (repeat ViewState.Argument<each Argument>)
  private let run:
    (@Sendable (inout State, inout Transaction, repeat each Argument) throws(Refusal) -> Void)?

  /// Describes a command whose work needs a store, which a screen has once it is made.
  ///
  /// The rows of the screen can offer it as an ``Action``, and `commands` says what it does:
  ///
  /// ```swift
  /// static let remove = Command<State, ResourceID>("remove", "Deletes a note.", .id("note"))
  ///
  /// var commands: [AnyCommand<State>] {
  ///   Self.remove.writing { [notes] (_, transaction, id) throws(Refusal) in
  ///     _ = try transaction.write(.remove(id), to: notes)
  ///   }
  /// }
  /// ```
  public init(
    _ name: Text, _ summary: String, _ arguments: repeat ViewState.Argument<each Argument>
  ) {
    self.name = name
    self.summary = summary
    self.arguments = (repeat each arguments)
    run = nil
  }

  /// Describes a command that changes the state.
  public init(
    _ name: Text, _ summary: String, _ arguments: repeat ViewState.Argument<each Argument>,
    run: @escaping @Sendable (inout State, repeat each Argument) throws(Refusal) -> Void
  ) {
    self.init(
      name, summary, repeat each arguments,
      writing: {
        (state, _, values: repeat each Argument) throws(Refusal) in
        try run(&state, repeat each values)
      })
  }

  /// Describes a command that changes the state and stores.
  public init(
    _ name: Text, _ summary: String, _ arguments: repeat ViewState.Argument<each Argument>,
    writing run:
      @escaping @Sendable (inout State, inout Transaction, repeat each Argument) throws(Refusal) ->
      Void
  ) {
    self.name = name
    self.summary = summary
    self.arguments = (repeat each arguments)
    self.run = run
  }

  /// The same command, which changes the state and stores.
  public func writing(
    _ run:
      @escaping @Sendable (inout State, inout Transaction, repeat each Argument) throws(Refusal) ->
      Void
  ) -> Command {
    Command(name, summary, repeat each arguments, writing: run)
  }

  /// The command as it is listed for client developers.
  public var descriptor: CommandDescriptor {
    var members = ArgumentMembers()
    for argument in repeat each arguments { members.add(argument) }
    return CommandDescriptor(
      type: name, summary: summary, arguments: members.schemas, required: members.required.sorted(),
      constraints: members.constraints)
  }

  /// The body that a client sends.
  public func sent(_ values: repeat each Argument) -> JSONValue {
    var members: [Text: JSONValue] = ["type": .string(name)]
    for (argument, value) in repeat (each arguments, each values) {
      members.merge(argument.write(value)) { $1 }
    }
    return .object(members)
  }

  /// The command without the types of its arguments, as a list of commands has it.
  ///
  /// - Precondition: The command says what it does.
  public var erased: AnyCommand<State> {
    guard let run else {
      preconditionFailure("the command \(name) does nothing: say what with `writing`")
    }
    return AnyCommand(descriptor: descriptor) { (command, state, transaction) throws(Refusal) in
      let values: (repeat each Argument)
      do throws(JSONShapeError) {
        values = (repeat try (each arguments).read(command.body))
      } catch {
        throw Refusal(error)
      }
      try run(&state, &transaction, repeat each values)
      return []
    }
  }
}

/// An argument of a command: its name, and the type of its value.
public struct Argument<Value: Sendable>: Sendable {
  /// The members that can have the value; only one of them may be there.
  let alternatives: [(name: Text, type: ValueType<Value>)]
  /// The value if none of them is there; `nil` if one has to be.
  let absent: Value?

  /// Names a value of a type.
  ///
  /// The functions below take a `String`: as implicit members they do not compile with a literal of
  /// another type.
  public init(_ name: Text, _ type: ValueType<Value>) {
    alternatives = [(name, type)]
    absent = type.absent
  }

  private init(_ alternatives: [(name: Text, type: ValueType<Value>)], absent: Value?) {
    self.alternatives = alternatives
    self.absent = absent
  }

  /// Names two members of which one has to be there, or, in an optional argument, at most one.
  ///
  /// ```swift
  /// static let place = Argument<Place>.either(
  ///   "before", ResourceID.valueType.map("", read: { .before($0) }, write: \.before),
  ///   or: "after", ResourceID.valueType.map("", read: { .after($0) }, write: \.after))
  /// ```
  ///
  /// - Parameters:
  ///   - first: The name of the first member.
  ///   - second: The name of the second member.
  ///   - firstType: Writes `nil` if the value belongs into the second member.
  ///   - secondType: Writes `nil` if the value belongs into the first member.
  public static func either(
    _ first: Text, _ firstType: ValueType<Value>, or second: Text, _ secondType: ValueType<Value>
  ) -> Argument {
    Argument([(first, firstType), (second, secondType)], absent: nil)
  }

  func read(_ body: JSONReader) throws(JSONShapeError) -> Value {
    let (first, type) = alternatives[0]
    if alternatives.count == 1 { return try type.read(first, of: body) }
    let names = alternatives.map(\.name.string).joined(separator: " or ")
    var found: Value?
    for (name, type) in alternatives {
      guard let member = try body.nullableMember(name) else { continue }
      if found != nil { throw member.error("expected \(names), not both") }
      found = try type.read(member)
    }
    guard let value = found ?? absent else {
      throw JSONShapeError(
        pointer: body.pointer.appending(first), message: "expected a member \(names)")
    }
    return value
  }

  func write(_ value: Value) -> [Text: JSONValue] {
    var members: [Text: JSONValue] = [:]
    for (name, type) in alternatives { members[name] = type.write(value) }
    return members
  }

  /// An argument whose type says how it is written.
  public static func value(_ name: String, of type: Value.Type = Value.self) -> Argument
  where Value: FieldValue {
    Argument(Text(name), Value.valueType)
  }

  /// An argument that may be left out: `.optional(.integer("limit"))`.
  public static func optional<Wrapped>(_ argument: Argument<Wrapped>) -> Argument
  where Value == Wrapped? {
    Argument(argument.alternatives.map { ($0.name, $0.type.optional) }, absent: .some(nil))
  }

  /// The same argument with a sentence for client developers.
  public func described(_ summary: String) -> Argument {
    Argument(alternatives.map { ($0.name, $0.type.described(summary)) }, absent: absent)
  }
}

/// The members of an object that has arguments, for its JSON schema.
struct ArgumentMembers {
  private(set) var schemas: [Text: JSONValue] = [:]
  private(set) var required: [Text] = []
  /// The lists of members of which only one may be there, and whether one has to be.
  private var choices: [(names: [Text], isRequired: Bool)] = []

  mutating func add<Value>(_ argument: Argument<Value>) {
    for (name, type) in argument.alternatives { schemas[name] = type.inputSchema }
    let (names, isRequired) = (argument.alternatives.map(\.name), argument.absent == nil)
    if names.count > 1 {
      choices.append((names, isRequired))
    } else if isRequired {
      required += names
    }
  }

  /// What the schema says of the members together.
  ///
  /// It is written so that generators of clients still take the schema for that of one object. Next to
  /// optional members it does not say that one of a choice has to be there.
  var constraints: [Text: JSONValue] {
    var constraints: [Text: JSONValue] = [:]
    let clashes = choices.map { choice -> JSONValue in
      ["required": .array(choice.names.map(JSONValue.string))]
    }
    if !clashes.isEmpty {
      constraints["not"] = clashes.count == 1 ? clashes[0] : ["anyOf": .array(clashes)]
    }
    let needed = choices.filter(\.isRequired).count
    // One more for the member that names the command.
    if needed > 0 { constraints["minProperties"] = .integer(1 + required.count + needed) }
    return constraints
  }

  /// The schema of the whole object.
  ///
  /// - Parameter tag: The member beside the arguments, which has to be there.
  func schema(with tag: Text, _ tagSchema: JSONValue) -> JSONValue {
    let schema: [Text: JSONValue] = [
      "type": "object", "properties": .object(schemas.merging([tag: tagSchema]) { $1 }),
      "required": .array(([tag] + required.sorted()).map(JSONValue.string)),
      "additionalProperties": false,
    ]
    return .object(schema.merging(constraints) { own, _ in own })
  }
}

extension Argument<Text> {
  /// Text of a limited length, in characters.
  public static func text(_ name: String, _ length: ClosedRange<Int> = 0...1000) -> Argument {
    Argument(Text(name), .text(length))
  }
}

extension Argument<Int> {
  /// A whole number.
  public static func integer(
    _ name: String, _ range: ClosedRange<Int> = JSONValue.interoperableIntegers
  ) -> Argument {
    Argument(Text(name), .integer(range))
  }
}

extension Argument<ResourceID> {
  /// The id of something in a store.
  public static func id(_ name: String) -> Argument { .value(name) }
}

extension Argument<Text> {
  /// A title or a name as the stores of the demo keep it: 1 to 1,000 bytes.
  package static func shownText(_ name: String) -> Argument { Argument(Text(name), .shownText) }
}

extension Argument<Bool> {
  /// True or false.
  public static func boolean(_ name: String) -> Argument { .value(name) }
}

extension Argument where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the cases, by its raw value.
  public static func choice(_ name: String, of type: Value.Type = Value.self) -> Argument {
    Argument(Text(name), .choice())
  }
}

/// A command of a screen whose state this is.
public struct AnyCommand<State>: Sendable {
  /// The command as it is listed for client developers.
  public let descriptor: CommandDescriptor
  let run:
    @Sendable (SentCommand, inout State, inout Transaction) throws(Refusal) -> [Effect<PartWork>]
}

/// Builds the list of commands of a screen.
@resultBuilder
public enum CommandBuilder<State> {
  public static func buildExpression<each Argument>(
    _ command: Command<State, repeat each Argument>
  ) -> [AnyCommand<State>] {
    [command.erased]
  }

  public static func buildExpression(_ commands: [AnyCommand<State>]) -> [AnyCommand<State>] {
    commands
  }

  public static func buildBlock(_ parts: [AnyCommand<State>]...) -> [AnyCommand<State>] {
    Array(parts.joined())
  }
}
