import CanonicalJSON
import ViewState

/// What clients may send to a form, beside what concerns its activity.
enum FormCommand: Text, CaseIterable {
  case didChange
  case didSelect
  case didTap
  case submit
  case cancelSubmit
  case reset
  case apply

  var descriptor: CommandDescriptor {
    CommandDescriptor(
      type: rawValue, summary: summary, arguments: arguments, required: arguments.keys.sorted())
  }

  private var summary: String {
    switch self {
    case .didChange:
      "Somebody entered a value. A wrong one is no bad command: the row keeps it, and a row behind "
        + "it says what is wrong."
    case .didSelect:
      "Somebody chose a row: a group is folded up or down, a firm that was found is entered."
    case .didTap: "Somebody tapped on a row: on a button, on Retry or on Cancel."
    case .submit:
      "Checks all fields that can be seen, those in collapsed groups too, and sends the answers if "
        + "they are right, with what the form carries hidden for good. Ignored while they are being "
        + "sent, and where they have been."
    case .cancelSubmit: "Calls the sending off. Ignored where nothing is being sent."
    case .reset: "Starts over: with the rows of the form's description, and their defaults."
    case .apply:
      "Does a list of operations on the rows in their order, all of them or none, as one change. "
        + "What was entered into rows that stay stays."
    }
  }

  private var arguments: [Text: JSONValue] {
    switch self {
    case .didChange: ["row": FormSchemas.row, "value": FormSchemas.value]
    case .didSelect, .didTap: ["row": FormSchemas.row]
    case .submit, .cancelSubmit, .reset: [:]
    case .apply: ["operations": FormSchemas.operations]
    }
  }

  /// The event as an action of a row.
  func action(title: String, row: Text) -> JSONValue {
    descriptor.action(title: title, arguments: ["row": .string(row)])
  }
}
