/// A kind of screen as it is listed for client developers.
public struct ScreenDescriptor: Hashable, Sendable {
  /// The first part of a view model's name: `profile` in `profile/1`.
  public let name: String
  /// What the key names, as it stands in the path template: `userID` in `profile/{userID}`.
  public let keyName: String
  /// One sentence on what the screen shows.
  public let summary: String
  /// What clients may send.
  public let commands: [CommandDescriptor]
  /// The sources it loads from, in the order of their names.
  public let sources: [String]

  /// Describes a screen.
  public init(
    name: String, keyName: String, summary: String, commands: [CommandDescriptor],
    sources: [String]
  ) {
    self.name = name
    self.keyName = keyName
    self.summary = summary
    self.commands = commands
    self.sources = sources.sorted()
  }
}
