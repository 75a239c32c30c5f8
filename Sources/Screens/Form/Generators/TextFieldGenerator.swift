import CanonicalJSON
import ViewState

/// A field whose value is a line of text.
protocol TextFieldGenerator: FieldGenerator where Value == Text {}

extension TextFieldGenerator {
  static var takesTexts: Bool { true }

  /// Spaces around a text are never meant.
  func isEmpty(_ value: Text) -> Bool { value.trimmed.isEmpty }

  func formatted(_ value: Text) -> Text { value.trimmed }

  /// - Throws: for a text beyond all limits; one that is only too long for the field is the user's
  ///   concern.
  func read(_ reader: JSONReader) throws(JSONShapeError) -> Text {
    let text = try reader.string()
    guard text.byteCount <= JSONReader.longestEntry else {
      throw reader.error("expected at most \(JSONReader.longestEntry) bytes of text")
    }
    return text
  }

  func json(_ value: Text) -> JSONValue { .string(value) }

  mutating func fill(_ text: Text, _ context: inout RowContext) {
    enter(text, &context)
  }
}

extension Text {
  /// The text without separators; `nil` if something beside them is not ASCII, such as a digit with
  /// an accent.
  func asciiWithout(_ separators: String) -> String? {
    let rest = string.unicodeScalars.filter { !separators.unicodeScalars.contains($0) }
    return rest.allSatisfy(\.isASCII) ? String(rest) : nil
  }
}

extension JSONReader {
  /// The longest text that anybody may enter, in bytes: twice the longest that can be right, since
  /// one that is only too long for a field, or has spaces around it, is no bad command.
  static let longestEntry = 2 * TextGenerator.mostBytes

  /// A whole number within bounds.
  func integer(in bounds: ClosedRange<Int>) throws(JSONShapeError) -> Int {
    let number = try integer()
    guard bounds.contains(number) else {
      throw error("expected \(bounds.lowerBound) to \(bounds.upperBound)")
    }
    return number
  }

  /// One of the cases of an enumeration, by its name.
  func oneOf<Choice: CaseIterable & RawRepresentable<Text>>(
    _: Choice.Type
  ) throws(JSONShapeError) -> Choice {
    guard let choice = Choice(rawValue: try string()) else {
      throw error(
        "expected one of " + Choice.allCases.map(\.rawValue.string).joined(separator: ", "))
    }
    return choice
  }
}
