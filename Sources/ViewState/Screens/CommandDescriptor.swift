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

  /// A command that takes no arguments, unless told otherwise.
  public init(
    type: Text, summary: String, arguments: [Text: JSONValue] = [:], required: [Text] = []
  ) {
    self.type = type
    self.summary = summary
    self.arguments = arguments
    self.required = required
  }

  /// The JSON schema of the whole command body.
  public var schema: JSONValue {
    var properties = arguments
    properties["type"] = .object(["const": .string(type)])
    return .object([
      "type": .string("object"),
      "properties": .object(properties),
      "required": .array((["type"] + required).map(JSONValue.string)),
      "additionalProperties": .bool(false),
    ])
  }
  /// The command as a row carries it for the client to send back unread.
  public func action(title: String, arguments: [Text: JSONValue] = [:]) -> JSONValue {
    var command = arguments
    command["type"] = .string(type)
    return .object(["title": .string(title), "command": .object(command)])
  }
}
