import CanonicalJSON

/// A value that users enter into a row, by a command whose last argument is the value.
///
/// ```swift
/// Field("label", \.name)
/// Field("input") { _ in InputType(type: .number) }
/// EnteredValue(setQuantity) { ($0.id, Text("\($0.quantity)")) }
/// // writes "change": {"argument": "quantity", "command": {"type": "setQuantity", "line": 7}}, "value": "2"
/// ```
///
/// Clients show a row with these members as a field, and send the command in `change` with the value that a user has
/// entered. `label` and `input` say what they show.
public struct EnteredValue<Model>: RowContent {
  public let rowMembers: [RowMember<Model>]

  /// Declares the value of a row.
  ///
  /// - Parameters:
  ///   - command: A command of the screen that shows the row. Its last argument is a boolean for a `checkbox`, the id of
  ///     an option or null for a `select`, and otherwise a text, even for a number.
  ///   - arguments: Returns the arguments of the command for the row of a model. The last one is the value that the row
  ///     shows.
  /// - Precondition: The last argument has one name.
  public init<State, each Argument>(
    _ command: Command<State, repeat each Argument>,
    _ arguments: @escaping @Sendable (Model) -> (repeat each Argument)
  ) {
    guard let entered = command.lastArgument else {
      fatalError("the command \(command.name) has no last argument that a user can enter")
    }
    let members = { @Sendable (model: Model) -> [(key: Text, value: JSONValue)] in
      let values = arguments(model)
      return command.members(repeat each values)
    }
    let change = JSONValue.objectSchema(
      [
        ("argument", ["const": .string(entered.name)], true),
        ("command", command.descriptor(withoutLast: true).schema, true),
      ],
      description: """
        How a value is entered: send `command` with the new value as one more member, under the name in \
        `argument`.
        """)
    rowMembers = [
      .field(
        Field(name: "change", schema: change, isRequired: true) { model in
          let others = members(model).filter { $0.key != entered.name }
          return [
            "argument": .string(entered.name),
            "command": .object(Dictionary(others) { first, _ in first }),
          ]
        }),
      .field(
        Field(name: "value", schema: entered.schema, isRequired: entered.isRequired) { model in
          members(model).first { $0.key == entered.name }?.value
        }),
      .command(command.name),
    ]
  }
}
