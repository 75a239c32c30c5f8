import CanonicalJSON

/// Of which characters a line of text has to be.
enum TextCharacters: String, CaseIterable {
  case letters
  case digits
  case lettersAndDigits

  static let code = FieldFault.Code(rawValue: "wrong-characters")

  /// What is wrong with a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  func fault(of text: String) -> FieldFault? {
    switch self {
    case .letters:
      text.allSatisfy { $0.isLetter || " -'’".contains($0) }
        ? nil : FieldFault(Self.code, "Only letters fit here.")
    case .digits:
      text.allSatisfy { "0"..."9" ~= $0 } ? nil : FieldFault(Self.code, "Only digits fit here.")
    case .lettersAndDigits:
      text.allSatisfy { $0.isLetter || "0"..."9" ~= $0 }
        ? nil : FieldFault(Self.code, "Only letters and digits fit here.")
    }
  }
}
