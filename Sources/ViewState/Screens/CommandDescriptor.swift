public import CanonicalJSON

/// A command as a screen offers it to client developers.
public struct CommandDescriptor: Hashable, Sendable {
  /// The value of the member `type`.
  public let type: String
  /// One sentence on what it does.
  public let summary: String
  /// The arguments beside `type`: a JSON schema for each name.
  public let arguments: [String: JSONValue]
  /// The arguments that must be there.
  public let required: [String]

  /// A command that takes no arguments, unless told otherwise.
  public init(
    type: String, summary: String, arguments: [String: JSONValue] = [:], required: [String] = []
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
  public func action(title: String, arguments: [String: JSONValue] = [:]) -> JSONValue {
    var command = arguments
    command["type"] = .string(type)
    return .object(["title": .string(title), "command": .object(command)])
  }
}
