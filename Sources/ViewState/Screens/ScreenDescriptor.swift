public import CanonicalJSON

/// The description of a screen for client developers.
public struct ScreenDescriptor: Hashable, Sendable {
  /// The first part of the names of its view models: `profile` in `profile/1`.
  public let name: Text
  /// The name of the key in the path template: `userID` in `profile/{userID}`.
  public let keyName: String
  /// One sentence on the content of the screen.
  public let summary: String
  /// Whether a key may name a session; see ``Screen/isPersonal``.
  public let isPersonal: Bool
  /// The language of the texts that the screen makes; `nil` if the screen names none.
  public let language: Language?
  /// The types of its rows.
  public let rowTypes: [RowTypeDescriptor]
  /// The commands that clients may send.
  public let commands: [CommandDescriptor]
  /// The names of its sources, sorted.
  public let sources: [Text]
  /// The name of the command that a client sends after a snapshot or reset in which one of ``opened`` is
  /// `notRequested`; `nil` if the screen needs none.
  public let opening: Text?
  /// The names of the sources that the opening command loads, sorted; none if there is no such command. A source that
  /// can stay `notRequested` after the command is not among them: each new client would send the command again.
  public let opened: [Text]
  /// The failures of the sources other than those of the library.
  public let failures: [LoadFailure]

  package init(
    name: Text, keyName: String, summary: String, commands: [CommandDescriptor],
    sources: [Text], opening: Text? = nil, opened: [Text] = [],
    rowTypes: [RowTypeDescriptor] = [], isPersonal: Bool = false, failures: [LoadFailure] = [],
    language: Language? = nil
  ) {
    self.name = name
    self.keyName = keyName
    self.summary = summary
    self.isPersonal = isPersonal
    self.language = language
    self.rowTypes = rowTypes
    self.commands = commands
    self.sources = sources.sorted()
    self.opening = opening
    self.opened = opening == nil ? [] : opened.sorted()
    self.failures = failures
  }

  /// The regular expression of the names of screens, which the JSON schema of a link has too.
  package static let namePattern = "[A-Za-z0-9][A-Za-z0-9_.-]*"

  /// Returns whether a screen may have a name, which is a part of paths.
  package static func isName(_ text: Text) -> Bool {
    text.string.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_.-]*/) != nil
  }

  /// Whether there is no opening command, or it is one of the commands and requires no arguments.
  var isOpeningComplete: Bool {
    guard let opening else { return true }
    return commands.contains { $0.type == opening && $0.required.isEmpty }
  }
}

/// The description of a type of rows for client developers.
public struct RowTypeDescriptor: Hashable, Sendable {
  /// The name of the type, which is the member `type` of each row.
  public let name: Text
  /// One sentence on the rows.
  public let summary: String
  /// The JSON schema of a whole row, `id` and `type` included. It may refer to components of the OpenAPI
  /// document, such as `#/components/schemas/Action`.
  public let schema: JSONValue
  /// The names of the commands that its actions send.
  let commands: [Text]

  /// Describes a type of rows.
  public init(name: Text, summary: String = "", schema: JSONValue) {
    self.init(name: name, summary: summary, schema: schema, commands: [])
  }

  init(name: Text, summary: String, schema: JSONValue, commands: [Text]) {
    self.name = name
    self.summary = summary
    self.schema = schema
    self.commands = commands
  }
}
