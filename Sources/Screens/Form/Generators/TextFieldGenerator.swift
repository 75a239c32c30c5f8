import CanonicalJSON

/// A field whose value is a line of text.
protocol TextFieldGenerator: FieldGenerator where Value == String {}

extension TextFieldGenerator {
  static var takesTexts: Bool { true }

  /// Spaces around a text are never meant.
  func isEmpty(_ value: String) -> Bool { value.allSatisfy(\.isWhitespace) }

  func formatted(_ value: String) -> String { value.trimmed }

  /// - Throws: for a text beyond all limits; one that is only too long for the field is the user's
  ///   concern.
  func read(_ reader: JSONReader) throws(JSONShapeError) -> String {
    let text = try reader.string()
    guard text.utf8.count <= JSONReader.longestEntry else {
      throw reader.error("expected at most \(JSONReader.longestEntry) bytes of text")
    }
    return text
  }

  func json(_ value: String) -> JSONValue { .string(value) }

  mutating func fill(_ text: String, _ context: inout RowContext) {
    enter(text, &context)
  }
}

extension String {
  /// The text without white space around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
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
  func oneOf<Choice: CaseIterable & RawRepresentable<String>>(
    _: Choice.Type
  ) throws(JSONShapeError) -> Choice {
    guard let choice = Choice(rawValue: try string()) else {
      throw error("expected one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }
}
