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

  /// Returns the command that enters a value into the field of the row: the `command` in its member `change`, with the
  /// value added.
  ///
  ///     if let command = row.command(entering: "Ada") { try await signUp.send(command) }
  ///
  /// - Parameter value: A boolean for a field whose `input` has the type `checkbox`, the id of an option or null for a
  ///   `select`, and otherwise a text. The server keeps a wrong value, and the row of its error follows the field.
  /// - Returns: The command; `nil` if no value can be entered into the row.
  /// - Complexity: That of `fields`.
  public func command(entering value: JSONValue) -> JSONValue? {
    guard let change = fields["change"].map({ JSONReader($0) }),
      let argument = try? change.member("argument").string(),
      case .object(var command)? = try? change.member("command").value
    else { return nil }
    command[argument] = value
    return .object(command)
  }
}
