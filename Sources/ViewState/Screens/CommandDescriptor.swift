public import CanonicalJSON

/// A command as a screen offers it to client developers.
public struct CommandDescriptor: Hashable, Sendable {
  /// The value of the member `type`.
  public let type: Text
  /// One sentence on what it does.
  public let summary: String
  /// The arguments beside `type`: a JSON schema for each name.
  public let arguments: [Text: JSONValue]
  /// The arguments that must be there.
  public let required: [Text]
  /// What the schema says of the arguments together, such as that two of them exclude each other.
  public let constraints: [Text: JSONValue]

  /// Describes a command, which takes no arguments unless they are given.
  public init(
    type: Text, summary: String, arguments: [Text: JSONValue] = [:], required: [Text] = [],
    constraints: [Text: JSONValue] = [:]
  ) {
    self.type = type
    self.summary = summary
    self.arguments = arguments
    self.required = required
    self.constraints = constraints
  }

  /// The JSON schema of the whole command body.
  public var schema: JSONValue {
    var properties = arguments
    properties["type"] = .object(["const": .string(type)])
    let schema: [Text: JSONValue] = [
      "type": "object", "properties": .object(properties),
      "required": .array((["type"] + required).map(JSONValue.string)),
      "additionalProperties": false,
    ]
    return .object(schema.merging(constraints) { own, _ in own })
  }

  /// The command as a row carries it for the client to send back unread.
  public func action(title: String, arguments: [Text: JSONValue] = [:]) -> JSONValue {
    var command = arguments
    command["type"] = .string(type)
    return .object(["title": .string(title), "command": .object(command)])
  }
}
