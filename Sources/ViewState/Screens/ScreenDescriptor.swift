public import CanonicalJSON

/// A kind of screen as it is listed for client developers.
public struct ScreenDescriptor: Hashable, Sendable {
  /// The first part of a view model's name: `profile` in `profile/1`.
  public let name: Text
  /// What the key names, as it stands in the path template: `userID` in `profile/{userID}`.
  public let keyName: String
  /// One sentence on what the screen shows.
  public let summary: String
  /// What clients may send.
  public let commands: [CommandDescriptor]
  /// The sources it loads from, in the order of their names.
  public let sources: [Text]
  /// The type of the command that a client sends after a snapshot or reset in which a source is
  /// `notRequested`; `nil` if the screen shows what it has without one.
  public let opening: Text?
  /// The types of its rows.
  public let rowTypes: [RowTypeDescriptor]

  /// Describes a screen.
  ///
  /// - Parameter opening: The type of one of `commands` that requires no arguments. A screen on which
  ///   a source may stay `notRequested` while another is loaded has none: each client that comes would
  ///   send it.
  public init(
    name: Text, keyName: String, summary: String, commands: [CommandDescriptor],
    sources: [Text], opening: Text? = nil, rowTypes: [RowTypeDescriptor] = []
  ) {
    self.name = name
    self.keyName = keyName
    self.summary = summary
    self.commands = commands
    self.sources = sources.sorted()
    self.opening = opening
    self.rowTypes = rowTypes
  }

  /// Whether a client can send the opening command, if there is one, knowing nothing but its type.
  var isOpeningComplete: Bool {
    guard let opening else { return true }
    return commands.contains { $0.type == opening && $0.required.isEmpty }
  }
}
