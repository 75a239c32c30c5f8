public import CanonicalJSON
import Snapshots

/// A command that a row offers to the user, with a title. Clients send the command back unchanged.
///
/// ```swift
/// Action(finish, "Done", if: { !$0.isDone }) { $0.id }
/// // writes "action": {"title": "Done", "command": {"type": "finish", "todo": 7}}
/// ```
///
/// A row may have several actions. The first one that it offers is its `action`, which all clients show; the others are
/// in its list `moreActions`:
///
/// ```swift
/// Action(open, "Open") { $0.id }
/// Action(move, "Move left", if: { $0.column > 0 }) { ($0.id, $0.column - 1) }
/// Action(remove, "Delete") { $0.id }
/// // writes "action": {"title": "Open", …}, "moreActions": [{"title": "Move left", …}, {"title": "Delete", …}]
/// ```
public struct Action<Model>: Sendable {
  /// The name of the command.
  let command: Text
  private let schema: JSONValue
  private let isOffered: (@Sendable (Model) -> Bool)?
  private let title: @Sendable (Model) -> Text
  /// Returns the members of the command.
  private let members: @Sendable (Model) -> [(key: Text, value: JSONValue)]

  /// Offers a command under a title that all rows share.
  ///
  /// - Parameters:
  ///   - command: A command of the screen that shows the row.
  ///   - title: The title that clients show.
  ///   - isOffered: Returns whether the row of a model offers the command; unless given, each row does.
  ///   - arguments: Returns the arguments of the command for the row of a model.
  public init<State, each Argument>(
    _ command: Command<State, repeat each Argument>,
    _ title: @autoclosure @escaping @Sendable () -> Text,
    if isOffered: (@Sendable (Model) -> Bool)? = nil,
    _ arguments: @escaping @Sendable (Model) -> (repeat each Argument)
  ) {
    self.init(command, title: { _ in title() }, if: isOffered, arguments)
  }

  /// Offers a command under a title that depends on the row.
  public init<State, each Argument>(
    _ command: Command<State, repeat each Argument>, title: @escaping @Sendable (Model) -> Text,
    if isOffered: (@Sendable (Model) -> Bool)? = nil,
    _ arguments: @escaping @Sendable (Model) -> (repeat each Argument)
  ) {
    self.command = command.name
    (self.isOffered, self.title) = (isOffered, title)
    schema = [
      "type": "object", "additionalProperties": false, "required": ["title", "command"],
      "properties": ["title": ["type": "string"], "command": command.descriptor.schema],
    ]
    members = { model in
      let values = arguments(model)
      return command.members(repeat each values)
    }
  }

  /// Offers a command without arguments.
  public init<State>(
    _ command: Command<State>, _ title: Text, if isOffered: (@Sendable (Model) -> Bool)? = nil
  ) {
    self.init(command, title, if: isOffered) { _ in () }
  }
}

extension Action {
  /// Whether only some rows offer it.
  var isConditional: Bool { isOffered != nil }

  /// Returns the JSON schema of one of some actions.
  static func schema(_ actions: ArraySlice<Action>) -> JSONValue {
    let schemas = actions.reduce(into: [JSONValue]()) { schemas, action in
      if !schemas.contains(action.schema) { schemas.append(action.schema) }
    }
    return schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]
  }

  private func suits(_ model: Model) -> Bool { isOffered?(model) ?? true }

  private static func isWritable(_ members: [(key: Text, value: JSONValue)]) -> Bool {
    members.allSatisfy { $0.value.isWritable }
  }

  private func write(
    _ model: Model, _ members: [(key: Text, value: JSONValue)], _ json: inout JSONWriter
  ) {
    json.raw("{\"command\":")
    json.object([:], beside: members)
    json.raw(",\"title\":")
    json.string(title(model))
    json.raw("}")
  }

  /// Writes the first action that a row offers as the value of a member.
  static func write(
    firstOf actions: [Action], of model: Model, into row: inout RowTemplate.Writer
  ) {
    guard let first = actions.first(where: { $0.suits(model) }) else {
      return row.add(nil)
    }
    let members = first.members(model)
    row.add(isWritable: isWritable(members)) { first.write(model, members, &$0) }
  }

  /// Writes the list of the actions that a row offers without the first one, unless there are no others.
  static func write(
    othersOf actions: [Action], of model: Model, into row: inout RowTemplate.Writer
  ) {
    let others = actions.filter { $0.suits(model) }.dropFirst()
      .map { (action: $0, members: $0.members(model)) }
    if others.isEmpty { return row.add(nil) }
    row.add(isWritable: others.allSatisfy { isWritable($0.members) }) { json in
      for (index, other) in others.enumerated() {
        json.raw(index == 0 ? "[" : ",")
        other.action.write(model, other.members, &json)
      }
      json.raw("]")
    }
  }
}
