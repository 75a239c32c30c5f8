public import CanonicalJSON
public import ViewState

/// What can be done to the rows of a form. A place is named by the id of a neighbour or of a list,
/// never by a number.
///
/// Lists stay in the order of their weights, whatever is done: rows that are appended go behind all
/// that are not heavier; rows that are given a place take the weight that belongs there, that of
/// their neighbour, of the first or last row, or of the row whose place they take.
public enum FormOperation: Equatable, Sendable {
  case insertBefore([FormRow], row: ResourceID)
  case insertAfter([FormRow], row: ResourceID)
  /// At the start of a list; of that of the first section, unless told otherwise.
  case insertAtStart([FormRow], RowContainer?)
  /// At the end of a list; of that of the last section, unless told otherwise.
  case insertAtEnd([FormRow], RowContainer?)
  /// Where the weights of the rows want them.
  case append([FormRow], RowContainer?)
  /// Puts a row in the place of another one. With the same id and kind it is the same row, changed:
  /// what was entered stays.
  case replace(ResourceID, with: FormRow)
  /// Exchanges the places of two rows, with those beneath them, and their weights.
  case swap(ResourceID, ResourceID)
  /// Removes rows with those beneath them.
  case remove([ResourceID])
  /// Removes the rows of a list, or of all sections; sections and groups stay.
  case clear(RowContainer?)
  case insertSectionBefore(FormSection, section: ResourceID)
  case insertSectionAfter(FormSection, section: ResourceID)
  case removeSection(ResourceID)

  /// How many rows it brings, those beneath others included.
  var rowCount: Int {
    switch self {
    case .insertBefore(let rows, _), .insertAfter(let rows, _), .insertAtStart(let rows, _),
      .insertAtEnd(let rows, _), .append(let rows, _):
      rows.rowCount
    case .replace(_, let row): [row].rowCount
    case .insertSectionBefore(let section, _), .insertSectionAfter(let section, _):
      section.rows.rowCount
    case .swap, .remove, .clear, .removeSection: 0
    }
  }

  /// The operations by the names that clients call them.
  public enum Name: Text, CaseIterable, Sendable {
    case insertBefore
    case insertAfter
    case insertAtStart
    case insertAtEnd
    case append
    case replace
    case swap
    case remove
    case clear
    case insertSectionBefore
    case insertSectionAfter
    case removeSection

    /// The members beside `operation`.
    var members: [Text] {
      switch self {
      case .insertBefore, .insertAfter: ["rows", "row"]
      case .insertAtStart, .insertAtEnd, .append: ["rows", "section", "group"]
      case .replace: ["row", "with"]
      case .swap: ["row", "other"]
      case .remove: ["ids"]
      case .clear: ["section", "group"]
      case .insertSectionBefore, .insertSectionAfter: ["newSection", "section"]
      case .removeSection: ["section"]
      }
    }

    /// Those of the members that must be there.
    var required: [Text] {
      switch self {
      case .insertAtStart, .insertAtEnd, .append: ["rows"]
      case .clear: []
      case .insertBefore, .insertAfter, .replace, .swap, .remove, .insertSectionBefore,
        .insertSectionAfter, .removeSection:
        members
      }
    }
  }
}
