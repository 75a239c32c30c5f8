import CanonicalJSON
import ViewState

/// Describes a field for a calendar date, written as ISO 8601 has it: `2026-02-28`. Such texts are
/// in the order of their bytes.
struct DateGenerator: TextFieldGenerator {
  static let kind: Text = "date"
  static let rowType: Text = "dateField"
  static let schema: [Text: JSONValue] = FieldFace.schema.merging([
    "default": date("The date it begins with."), "min": date("The first date that is right."),
    "max": date("The last date that is right."),
  ]) { $1 }
  static let required: [Text] = ["label"]
  static let codes: [FieldFault.Code] = [.required, .invalidDate, .tooEarly, .tooLate]

  var frame: RowFrame
  let face: FieldFace
  let earliest: Text?
  let latest: Text?
  private(set) var initial: Text = ""
  var entry = FieldEntry<Text>(value: "")

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    earliest = try reader.nullableMember("min")?.calendarDate()
    latest = try reader.nullableMember("max")?.calendarDate()
    if let earliest, let latest, latest < earliest {
      throw try reader.member("max").error("the last date is before the first")
    }
    initial = try readDefault(reader) ?? ""
    entry.value = initial
  }

  var configuration: [Text: JSONValue] { configuration(bounds) }

  var input: [Text: JSONValue] { bounds.merging(["type": "date"]) { $1 } }

  func fault(of value: Text) -> FieldFault? {
    let date = value.trimmed
    guard date.isCalendarDate else {
      return FieldFault(.invalidDate, "That is no date: write it as 2026-02-28.")
    }
    if let earliest, date < earliest {
      return FieldFault(.tooEarly, "The date must be \(earliest) or later.")
    }
    if let latest, date > latest {
      return FieldFault(.tooLate, "The date must be \(latest) or earlier.")
    }
    return nil
  }

  private var bounds: [Text: JSONValue] {
    var members: [Text: JSONValue] = [:]
    members["min"] = earliest.map(JSONValue.string)
    members["max"] = latest.map(JSONValue.string)
    return members
  }

  private static func date(_ description: String) -> JSONValue {
    ["type": "string", "format": "date", "description": .string(description)]
  }
}

extension FieldFault.Code {
  static let invalidDate = Self(rawValue: "invalid-date")
  static let tooEarly = Self(rawValue: "too-early")
  static let tooLate = Self(rawValue: "too-late")
}

extension Text {
  /// Whether this is a day of the calendar.
  fileprivate var isCalendarDate: Bool {
    byteCount == "2026-02-28".utf8.count && Timestamp(string) != nil
  }
}

extension JSONReader {
  fileprivate func calendarDate() throws(JSONShapeError) -> Text {
    let text = try string()
    guard text.isCalendarDate else { throw error("expected a date such as 2026-02-28") }
    return text
  }
}
