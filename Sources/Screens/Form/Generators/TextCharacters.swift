import CanonicalJSON

/// Of which characters a line of text has to be.
enum TextCharacters: Text, CaseIterable {
  case letters
  case digits
  case lettersAndDigits

  static let code = FieldFault.Code(rawValue: "wrong-characters")

  /// What is wrong with a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  func fault(of text: Text) -> FieldFault? {
    switch self {
    case .letters:
      text.string.allSatisfy { $0.isLetter || " -'’".contains($0) }
        ? nil : FieldFault(Self.code, "Only letters fit here.")
    case .digits:
      text.string.allSatisfy(Self.isDigit) ? nil : FieldFault(Self.code, "Only digits fit here.")
    case .lettersAndDigits:
      text.string.allSatisfy { $0.isLetter || Self.isDigit($0) }
        ? nil : FieldFault(Self.code, "Only letters and digits fit here.")
    }
  }

  /// Whether it is one of 0 to 9, and nothing with it: a digit with an accent lies between them.
  private static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isWholeNumber
  }
}
