import CanonicalJSON

/// What a line of text has to be, by the names that HTML has for the types of its inputs.
enum TextInputType: Text, CaseIterable {
  case text
  case email
  case url
  case number

  /// The code of what is wrong with a text that is none.
  var code: FieldFault.Code? {
    switch self {
    case .text: nil
    case .email: .invalidEmail
    case .url: .invalidURL
    case .number: .invalidNumber
    }
  }

  /// What is wrong with a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  func fault(of text: Text) -> FieldFault? {
    switch self {
    case .text: nil
    case .email:
      text.isEmailAddress ? nil : FieldFault(.invalidEmail, "That is not an e-mail address.")
    case .url:
      text.isWebAddress ? nil : FieldFault(.invalidURL, "That is not an address on the web.")
    case .number:
      text.decimal == nil ? FieldFault(.invalidNumber, "That is not a number.") : nil
    }
  }
}

extension FieldFault.Code {
  static let invalidEmail = Self(rawValue: "invalid-email")
  static let invalidURL = Self(rawValue: "invalid-url")
  static let invalidNumber = Self(rawValue: "invalid-number")
}

extension Text {
  /// Whether mail could go there: one `@`, something before it, and behind it two or more names with
  /// dots between them. Only a message sent there would tell more.
  fileprivate var isEmailAddress: Bool {
    let parts = string.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, byteCount <= 254, !hasWhitespace else {
      return false
    }
    return parts[1].isHostName
  }

  /// Whether this begins with a scheme of the web and the name of a host.
  fileprivate var isWebAddress: Bool {
    guard let scheme = ["https://", "http://"].first(where: hasPrefix), !hasWhitespace else {
      return false
    }
    let ends = "/?#:".unicodeScalars
    return string.unicodeScalars.dropFirst(scheme.byteCount).prefix { !ends.contains($0) }
      .isHostName
  }

  /// The number that is written here, with a point or a comma; `nil` for other notations and for
  /// more digits than a double can tell apart.
  var decimal: Double? {
    guard isASCII else { return nil }
    let number = string.replacing(",", with: ".")
    guard number.wholeMatch(of: /[+\-]?[0-9]+(\.[0-9]+)?/) != nil, number.count <= 16 else {
      return nil
    }
    return Double(number)
  }

  private var hasWhitespace: Bool { string.unicodeScalars.contains { $0.properties.isWhitespace } }
}

extension Substring.UnicodeScalarView {
  /// Whether these are two or more names with dots between them.
  fileprivate var isHostName: Bool {
    let names = split(separator: ".", omittingEmptySubsequences: false)
    return names.count >= 2
      && names.allSatisfy { name in
        !name.isEmpty && name.isOfLetters { $0.properties.numericType != nil || $0 == "-" }
      }
  }
}
