public import CanonicalJSON
public import Snapshots

/// A command of a screen: its name, its typed arguments, and a closure that changes the state.
///
/// ```swift
/// static let buy = Command("buy", "Ticks something off the list.", .integer("item")) {
///   (state: inout State, id) in
///   guard let index = state.items.firstIndex(where: { $0.id == id }) else {
///     throw Refusal.unknown("item", id)
///   }
///   state.items[index].isBought = true
/// }
/// ```
///
/// Decoding, checking and the JSON schema follow from the arguments. The closure is pure: it changes only the
/// state, and stores through the transaction. If it throws, nothing has changed, and the client gets a 422:
///
/// | error | what the 422 says |
/// |---|---|
/// | ``Refusal`` | its message, with a pointer to the argument |
/// | ``StoreError`` of a read or a write, or `JSONShapeError` of a value that is decoded | the message of the error, with a pointer to the argument with the name of the wrong member, or to the only id if an element is missing; if there is no such argument, to the body, and the message names the member |
/// | any other error | that the command has failed, with the description of the error, which must hold nothing that clients must not see |
public struct Command<State, each Argument: Sendable>: Sendable {
  /// The name of the command, which is the member `type` of the body.
  public let name: Text
  /// One sentence on the effect of the command, for client developers.
  public let summary: String
  private let arguments: (repeat ViewState.Argument<each Argument>)
  private let run:
    (@Sendable (inout State, inout Transaction, repeat each Argument) throws -> Void)?

  /// Declares a command whose closure is given later, because it needs a store that an instance of the
  /// screen has.
  ///
  /// The rows of the screen can offer it as an ``Action``, and ``Screen/commands`` gives the closure:
  ///
  /// ```swift
  /// static let remove = Command<State, ResourceID>("remove", "Deletes a note.", .id("note"))
  ///
  /// var commands: [AnyCommand<State>] {
  ///   Self.remove.writing(to: notes) { _, id in .delete(id) }
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

  /// Declares a command that changes the state.
  ///
  /// - Parameters:
  ///   - name: The name, unique among the commands of the screen and of its parts.
  ///   - summary: One sentence on the effect of the command, for client developers.
  ///   - arguments: The arguments, each with a name of its own other than `type`.
  ///   - run: Changes the state, or throws an error such as a ``Refusal``.
  public init(
    _ name: Text, _ summary: String, _ arguments: repeat ViewState.Argument<each Argument>,
    run: @escaping @Sendable (inout State, repeat each Argument) throws -> Void
  ) {
    self.init(
      name, summary, repeat each arguments,
      writing: { (state, _, values: repeat each Argument) in
        try run(&state, repeat each values)
      })
  }

  /// Declares a command that changes the state and stores.
  ///
  /// - Parameters:
  ///   - name: The name, unique among the commands of the screen and of its parts.
  ///   - summary: One sentence on the effect of the command, for client developers.
  ///   - arguments: The arguments, each with a name of its own other than `type`.
  ///   - run: Changes the state, and stores through the transaction, or throws an error such as a ``Refusal``.
  public init(
    _ name: Text, _ summary: String, _ arguments: repeat ViewState.Argument<each Argument>,
    writing run:
      @escaping @Sendable (inout State, inout Transaction, repeat each Argument) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.arguments = (repeat each arguments)
    self.run = run
  }

  /// Returns the same command with a closure that changes the state and stores.
  public func writing(
    _ run:
      @escaping @Sendable (inout State, inout Transaction, repeat each Argument) throws -> Void
  ) -> Command {
    Command(name, summary, repeat each arguments, writing: run)
  }

  /// Returns the same command with a closure that returns a write to a store.
  ///
  /// ```swift
  /// Command("remove", "Deletes a todo.", .id("todo")).writing(to: todos) { _, id in .delete(id) }
  /// ```
  public func writing<Value: StoreValue>(
    to store: Store<Value>,
    _ write: @escaping @Sendable (State, repeat each Argument) throws -> Value.Write
  ) -> Command {
    writing { (state, transaction, values: repeat each Argument) in
      try transaction.write(write(state, repeat each values), to: store)
    }
  }

  /// The description of the command for client developers.
  public var descriptor: CommandDescriptor { descriptor(withoutLast: false) }

  /// Returns the description of the command, perhaps without its last argument.
  func descriptor(withoutLast isCut: Bool) -> CommandDescriptor {
    var members = ArgumentMembers()
    var rest = 0
    for _ in repeat each arguments { rest += 1 }
    for argument in repeat each arguments {
      rest -= 1
      if rest > 0 || !isCut { members.add(argument) }
    }
    guard members.schemas["type"] == nil else {
      fatalError("the command \(name) has an argument named type, where its own name belongs")
    }
    return CommandDescriptor(
      type: name, summary: summary, arguments: members.schemas, required: members.required.sorted(),
      constraints: members.constraints)
  }

  /// The names of the arguments, each with whether it is the id of a resource.
  private var argumentNames: [(name: Text, isID: Bool)] {
    var names: [(Text, Bool)] = []
    for argument in repeat each arguments { names += argument.names }
    return names
  }

  /// The last argument, with the JSON schema of its value in a row; `nil` if there is none, or if one of two members has
  /// it.
  var lastArgument: (name: Text, schema: JSONValue, isRequired: Bool)? {
    var last: (name: Text, schema: JSONValue, isRequired: Bool)?
    for argument in repeat each arguments {
      let alternatives = argument.alternatives
      last =
        alternatives.count == 1
        ? (alternatives[0].name, alternatives[0].type.schema, alternatives[0].type.isAlwaysWritten)
        : nil
    }
    return last
  }

  /// Returns the refusal of the command for an error that its closure has thrown.
  private func refusal(_ error: any Error) -> Refusal {
    let refusal: Refusal
    switch error {
    case let error as Refusal: return error
    case let error as StoreError: refusal = Refusal(error)
    case let error as JSONShapeError: refusal = Refusal(error)
    default: return Refusal("type", "the command has failed: \(error)")
    }
    let names = argumentNames
    let ids = names.filter(\.isID).map(\.name)
    func isArgument(_ member: Text) -> Bool { names.contains { $0.name == member } }
    switch error {
    case StoreError.missing where ids.count == 1: return Refusal(ids[0], refusal.message)
    case StoreError.duplicateID where !isArgument("id") && ids.count == 1:
      return Refusal(ids[0], refusal.message)
    default: break
    }
    guard let member = refusal.pointer.tokens.first, member != "type", !isArgument(member) else {
      return refusal
    }
    return Refusal(pointer: .root, message: "\(refusal.pointer): \(refusal.message)")
  }

  /// Returns the body that a client sends with some arguments.
  public func sent(_ values: repeat each Argument) -> JSONValue {
    .object(Dictionary(members(repeat each values)) { _, last in last })
  }

  /// The members of the body for some arguments.
  func members(_ values: repeat each Argument) -> [(key: Text, value: JSONValue)] {
    var members: [(key: Text, value: JSONValue)] = [("type", .string(name))]
    for (argument, value) in repeat (each arguments, each values) {
      argument.write(value, into: &members)
    }
    return members
  }

  /// The command without the types of its arguments, for a list of commands.
  ///
  /// - Precondition: The command has a closure.
  public var erased: AnyCommand<State> {
    guard let run else {
      fatalError("the command \(name) has no closure: add one with `writing`")
    }
    return AnyCommand(descriptor: descriptor) { (command, state, transaction) throws(Refusal) in
      do {
        let values = (repeat try (each arguments).read(command.body))
        try run(&state, &transaction, repeat each values)
        return nil
      } catch {
        throw refusal(error)
      }
    }
  }
}

extension Command {
  /// Returns the command with a closure that returns the incident to log if the state does not allow its action.
  func reducing(
    _ run: @escaping @Sendable (inout State) -> ScreenIncident.Kind?
  ) -> AnyCommand<State> {
    AnyCommand(descriptor: descriptor) { _, state, _ in run(&state) }
  }
}

/// A command of a screen, without the types of its arguments.
public struct AnyCommand<State>: Sendable {
  /// The description of the command for client developers.
  public let descriptor: CommandDescriptor
  let run:
    @Sendable (SentCommand, inout State, inout Transaction) throws(Refusal) -> ScreenIncident.Kind?
}

/// Builds the list of commands of a screen.
public typealias CommandBuilder<State> = ListBuilder<AnyCommand<State>>

extension ListBuilder {
  /// Adds a command.
  public static func buildExpression<State, each Argument>(
    _ command: Command<State, repeat each Argument>
  ) -> [Element] where Element == AnyCommand<State> { [command.erased] }
}
