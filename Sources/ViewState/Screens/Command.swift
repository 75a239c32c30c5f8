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
    @Sendable (inout State, inout Transaction, repeat each Argument) throws(Refusal) -> Void

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

  /// The command as it is listed for client developers.
  public var descriptor: CommandDescriptor {
    var schemas: [Text: JSONValue] = [:]
    var required: [Text] = []
    for argument in repeat each arguments {
      schemas[argument.name] = argument.type.inputSchema
      if argument.type.isRequired { required.append(argument.name) }
    }
    return CommandDescriptor(
      type: name, summary: summary, arguments: schemas, required: required.sorted())
  }

  /// The body that a client sends.
  public func sent(_ values: repeat each Argument) -> JSONValue {
    var members: [Text: JSONValue] = ["type": .string(name)]
    for (argument, value) in repeat (each arguments, each values) {
      members[argument.name] = argument.type.write(value)
    }
    return .object(members)
  }

  /// The command without the types of its arguments, as a list of commands has it.
  public var erased: AnyCommand<State> {
    AnyCommand(descriptor: descriptor) { (command, state, transaction) throws(Refusal) in
      let values: (repeat each Argument)
      do throws(JSONShapeError) {
        values = (repeat try (each arguments).type.read((each arguments).name, of: command.body))
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
  public let name: Text
  public let type: ValueType<Value>

  /// Names a value of a type.
  ///
  /// The functions below take a `String`: as implicit members they do not compile with a literal of
  /// another type.
  public init(_ name: Text, _ type: ValueType<Value>) {
    self.name = name
    self.type = type
  }

  /// An argument whose type says how it is written.
  public static func value(_ name: String, of type: Value.Type = Value.self) -> Argument
  where Value: FieldValue {
    Argument(Text(name), Value.valueType)
  }

  /// An argument that may be left out: `.optional(.integer("limit"))`.
  public static func optional<Wrapped>(_ argument: Argument<Wrapped>) -> Argument
  where Value == Wrapped? {
    Argument(argument.name, argument.type.optional)
  }

  /// The same argument with a sentence for client developers.
  public func described(_ summary: String) -> Argument { Argument(name, type.described(summary)) }
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
