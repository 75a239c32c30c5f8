import CanonicalJSON

/// Of which characters a line of text has to be. A mark, such as an accent, belongs to the letter
/// before it, and to nothing else.
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
      text.isOfLetters(or: { " -'’".unicodeScalars.contains($0) })
        ? nil : FieldFault(Self.code, "Only letters fit here.")
    case .digits:
      text.utf8.allSatisfy(Self.isDigit) ? nil : FieldFault(Self.code, "Only digits fit here.")
    case .lettersAndDigits:
      text.isOfLetters(or: { $0.isASCII && Self.isDigit(UInt8($0.value)) })
        ? nil : FieldFault(Self.code, "Only letters and digits fit here.")
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Text {
  fileprivate func isOfLetters(or isOther: (Unicode.Scalar) -> Bool) -> Bool {
    string.unicodeScalars[...].isOfLetters(or: isOther)
  }
}

extension Substring.UnicodeScalarView {
  /// Whether these are letters, with what belongs to them, and others.
  func isOfLetters(or isOther: (Unicode.Scalar) -> Bool) -> Bool {
    var isLetter = false
    return allSatisfy { scalar in
      if isLetter && scalar.belongsToLetter { return true }
      isLetter = scalar.properties.isAlphabetic
      return isLetter || isOther(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// Whether it changes the letter before it: a mark, or what Persian and the scripts of India join
  /// letters with.
  fileprivate var belongsToLetter: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: properties.isJoinControl
    }
  }
}
