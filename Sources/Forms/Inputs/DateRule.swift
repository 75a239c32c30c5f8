import CanonicalJSON
import ViewState

/// The rule of a field for a calendar date, written as ISO 8601 has it: `2026-02-28`. Earlier dates are smaller
/// texts.
struct DateRule: LineRule {
  var min: Text?
  var max: Text?

  static let kind: Text = "date"
  static let fields = [
    Field("min", \DateRule.min, date("The first date that is right.").optional),
    Field("max", \.max, date("The last date that is right.").optional),
  ]
  static let initialSchema = date("The date it begins with.").schema

  private static func date(_ summary: String) -> ValueType<Text> {
    .text(
      ["type": "string", "format": "date", "description": .string(summary)],
      "a date such as 2026-02-28"
    ) { $0.isCalendarDate }
  }

  func check(_ reader: JSONReader) throws(JSONShapeError) {
    if let min, let max, max < min {
      throw reader.error(in: "max", "the last date is before the first")
    }
  }

  static let rowType = RowType.field(
    "dateField", "A field for a calendar date, as ISO 8601 has it.")

  var input: InputType {
    InputType(type: .date, min: min.map(JSONValue.string), max: max.map(JSONValue.string))
  }

  func error(of text: Text) -> FieldError? {
    let date = text.trimmed
    guard date.isCalendarDate else {
      return FieldError(
        "invalid-date", en: "That is no date: write it as 2026-02-28.",
        de: "Das ist kein Datum. Die Schreibweise ist 2026-02-28.")
    }
    if let min, date < min {
      return FieldError(
        "too-early", en: "The date must be \(min) or later.",
        de: "Das früheste mögliche Datum ist \(min).")
    }
    if let max, date > max {
      return FieldError(
        "too-late", en: "The date must be \(max) or earlier.",
        de: "Das späteste mögliche Datum ist \(max).")
    }
    return nil
  }
}

extension Text {
  /// Whether this is a day of the calendar.
  fileprivate var isCalendarDate: Bool {
    byteCount == "2026-02-28".utf8.count && Timestamp(string) != nil
  }
}
