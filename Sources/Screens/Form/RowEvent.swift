public import CanonicalJSON
public import ViewState

/// Something that a user did with a row.
public struct RowEvent: Sendable {
  /// What it was.
  public enum Kind: Sendable {
    case didChange(JSONReader)
    case didSelect
    case didTap
  }

  /// The row of the form's description.
  public let row: ResourceID
  /// Which of the rows behind it was meant; empty where it was the row itself.
  public let part: Text
  public let kind: Kind

  /// The event of a row that is shown.
  ///
  /// - Parameter shown: the id of the row. That of a row behind another one begins with the other's
  ///   and a slash, which no id of a description can have.
  init(_ shown: ResourceID, _ kind: Kind) {
    let names = shown.text.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    // A slash with nothing behind it names no row, least of all the one before it.
    let isPart = names.count == 2 && !names[1].isEmpty
    row = isPart ? ResourceID(named: Text(Substring(names[0]))) : shown
    part = isPart ? Text(Substring(names[1])) : ""
    self.kind = kind
  }

  var command: FormCommand {
    switch kind {
    case .didChange: .didChange
    case .didSelect: .didSelect
    case .didTap: .didTap
    }
  }
}

extension RowGenerator {
  /// Takes an event.
  mutating func take(
    _ event: RowEvent, _ context: inout RowContext
  ) throws(RowEventFault) {
    switch event.kind {
    case .didChange(let value):
      guard event.part.isEmpty else { throw .noSuchEvent }
      try didChange(value, &context)
    case .didSelect: try didSelect(part: event.part, &context)
    case .didTap: try didTap(part: event.part, &context)
    }
  }
}
