package import CanonicalJSON

/// An input with its place in the order of all inputs.
package struct Entry: Codable, Hashable, Sendable {
  /// The number of the input, from 1; 0 for the settings that a log begins with.
  package let position: Int
  /// The time of the input; not before that of the input before.
  package let time: Timestamp
  /// The sender of the input; `nil` if it is not known. The JSON has no such member then.
  package let by: Owner?
  /// The input.
  package let input: JSONValue
}

/// The sender of inputs, and the owner of the view models that only these inputs change.
///
/// The JSON form is the name.
package struct Owner: RawRepresentable, Codable, Hashable, Sendable {
  package let rawValue: Text

  package init(rawValue: Text) {
    self.rawValue = rawValue
  }
}
