public import CanonicalJSON

/// The description of a command for client developers.
public struct CommandDescriptor: Hashable, Sendable {
  /// The name of the command, which is the value of the member `type`.
  public let type: Text
  /// One sentence on the effect of the command.
  public let summary: String
  /// The JSON schemas of the arguments by their names, without `type`.
  public let arguments: [Text: JSONValue]
  /// The names of the arguments that cannot be left out.
  public let required: [Text]
  /// The members of the JSON schema that bind several arguments, such as two that exclude each other.
  public let constraints: [Text: JSONValue]
  /// The names of all members of the body.
  let members: Set<Text>

  /// Describes a command.
  package init(
    type: Text, summary: String, arguments: [Text: JSONValue], required: [Text] = [],
    constraints: [Text: JSONValue] = [:]
  ) {
    self.type = type
    self.summary = summary
    self.arguments = arguments
    self.required = required
    self.constraints = constraints
    members = Set(arguments.keys).union(["type"])
  }

  /// The JSON schema of the whole body.
  public var schema: JSONValue {
    .argumentSchema(tag: ("type", type), arguments, requiring: required, constraints)
  }
}
