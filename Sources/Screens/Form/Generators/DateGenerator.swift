import CanonicalJSON
import ViewState

/// Describes a field for a calendar date, written as ISO 8601 has it: `2026-02-28`. Such texts are
/// in the order of their bytes.
struct DateGenerator: TextFieldGenerator {
  static let kind = "date"
  static let rowType = "dateField"
  static let schema: [String: JSONValue] = FieldFace.schema.merging([
    "default": date("The date it begins with."), "min": date("The first date that is right."),
    "max": date("The last date that is right."),
  ]) { $1 }
  static let required = ["label"]
  static let codes: [FieldFault.Code] = [.required, .invalidDate, .tooEarly, .tooLate]

  var frame: RowFrame
  let face: FieldFace
  let earliest: String?
  let latest: String?
  private(set) var initial = ""
  var entry = FieldEntry(value: "")

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

  var configuration: [String: JSONValue] { configuration(bounds) }

  var input: [String: JSONValue] { bounds.merging(["type": "date"]) { $1 } }

  func fault(of value: String) -> FieldFault? {
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

  private var bounds: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
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

extension String {
  /// Whether this is a day of the calendar.
  fileprivate var isCalendarDate: Bool {
    utf8.count == "2026-02-28".utf8.count && Timestamp(self) != nil
  }
}

extension JSONReader {
  fileprivate func calendarDate() throws(JSONShapeError) -> String {
    let text = try string()
    guard text.isCalendarDate else { throw error("expected a date such as 2026-02-28") }
    return text
  }
}
