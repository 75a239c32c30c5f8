public import CanonicalJSON

/// A kind of screen as it is listed for client developers.
public struct ScreenDescriptor: Hashable, Sendable {
  /// The first part of a view model's name: `profile` in `profile/1`.
  public let name: Text
  /// What the key names, as it stands in the path template: `userID` in `profile/{userID}`.
  public let keyName: String
  /// One sentence on what the screen shows.
  public let summary: String
  /// The types of the rows that the screen shows.
  public let rowTypes: [RowTypeDescriptor]
  /// What clients may send.
  public let commands: [CommandDescriptor]
  /// The sources it loads from, in the order of their names.
  public let sources: [Text]
  /// The type of the command that a client sends after a snapshot or reset in which a source is
  /// `notRequested`; `nil` if the screen shows what it has without one.
  public let opening: Text?

  /// Describes a screen.
  ///
  /// - Parameters:
  ///   - commands: The commands that clients may send.
  ///   - keyName: What the key names, as the path template has it.
  ///   - name: The name of the screen.
  ///   - rowTypes: The types of its rows.
  ///   - sources: The names of its sources.
  ///   - summary: One sentence on what the screen shows.
  ///   - opening: The type of one of `commands` that requires no arguments. A screen on which
  ///     a source may stay `notRequested` while another is loaded has none: each client that comes would
  ///     send it.
  public init(
    name: Text, keyName: String, summary: String, commands: [CommandDescriptor],
    sources: [Text], opening: Text? = nil, rowTypes: [RowTypeDescriptor] = []
  ) {
    self.name = name
    self.keyName = keyName
    self.summary = summary
    self.rowTypes = rowTypes
    self.commands = commands
    self.sources = sources.sorted()
    self.opening = opening
  }

  /// Whether a client can send the opening command, if there is one, knowing nothing but its type.
  var isOpeningComplete: Bool {
    guard let opening else { return true }
    return commands.contains { $0.type == opening && $0.required.isEmpty }
  }
}

/// A type of rows as a screen lists it for client developers.
public struct RowTypeDescriptor: Hashable, Sendable {
  /// The value of the member `type` of each row.
  public let name: Text
  /// One sentence on what such a row shows.
  public let summary: String
  /// The JSON schema of a whole row, `id` and `type` included. It may refer to components of the OpenAPI
  /// document, such as `#/components/schemas/Action`.
  public let schema: JSONValue

  /// Describes a type of rows.
  public init(name: Text, summary: String = "", schema: JSONValue) {
    self.name = name
    self.summary = summary
    self.schema = schema
  }
}
