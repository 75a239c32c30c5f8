import CanonicalJSON

/// What is wrong with what a user entered: a row for people to read, not a failed request.
struct FieldFault: Codable, Hashable, Sendable {
  /// A stable, machine-readable word such as `too-short`.
  struct Code: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: Text

    init(rawValue: Text) {
      self.rawValue = rawValue
    }

    /// There must be a value.
    static let required = Code(rawValue: "required")
  }

  /// What is wrong.
  let code: Code
  /// The same in words.
  let text: Text

  init(_ code: Code, _ text: Text) {
    self.code = code
    self.text = text
  }
}
