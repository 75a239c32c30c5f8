public import CanonicalJSON

/// An action that a user can perform on a row.
public struct RowAction: Hashable, Sendable {
  /// The text of the button, for people.
  public let title: Text
  /// The command, which a client sends unchanged.
  public let command: JSONValue

  init?(_ value: JSONValue) {
    let reader = JSONReader(value)
    guard let title = try? reader.member("title").string(),
      let command = try? reader.member("command").value
    else { return nil }
    (self.title, self.command) = (title, command)
  }
}

extension Row {
  /// The actions that a user can perform on the row, the most important first: its members `action` and `moreActions`.
  ///
  ///     for action in row.actions {
  ///       addButton(action.title) { try await groceries.send(action.command) }
  ///     }
  ///
  /// - Complexity: That of `fields`.
  public var actions: [RowAction] {
    let fields = fields
    let more = fields["moreActions"].flatMap { try? JSONReader($0).elements() } ?? []
    return ([fields["action"]].compactMap(\.self) + more.map(\.value)).compactMap(RowAction.init)
  }
}
