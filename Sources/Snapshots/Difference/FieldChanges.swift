import CanonicalJSON

/// What turns the fields of a row or section into others.
struct FieldChanges {
  /// The fields that are new or different.
  var set: [Text: JSONValue] = [:]
  /// The names of the fields that are gone, sorted by their bytes.
  var unset: [Text] = []

  var isEmpty: Bool { self.set.isEmpty && unset.isEmpty }

  init(set: [Text: JSONValue], unset: [Text]) {
    self.set = set
    self.unset = unset
  }

  /// - Complexity: O(*n*) expected, where *n* is the size of both, and O(*g* log *g*) for the *g*
  ///   fields that are gone.
  init(from old: [Text: JSONValue], to new: [Text: JSONValue]) {
    for (name, value) in new where old[name] != value { set[name] = value }
    unset = old.keys.filter { new[$0] == nil }.sorted()
  }

  /// The fields after the changes.
  ///
  /// - Parameters:
  ///   - subject: What the fields are of, as the error says it: `row "post/1"`.
  ///   - reserved: The members that are no fields.
  /// - Complexity: O(*n*) expected, where *n* is the number of fields and changes.
  /// - Throws: ``ChangesetError/Code/invalidUpdate`` if nothing would change, a reserved member
  ///   would be set, or a field unset that is not there or set as well.
  func applied(
    to fields: [Text: JSONValue], of subject: String, reserved: Set<Text>
  ) throws(ChangesetError) -> [Text: JSONValue] {
    if isEmpty { throw Self.invalid("the update of \(subject) changes nothing") }
    var fields = fields
    for name in unset {
      guard fields[name] != nil, self.set[name] == nil else {
        throw Self.invalid("the update of \(subject) cannot unset the field \"\(name)\"")
      }
      fields[name] = nil
    }
    for (name, value) in self.set {
      guard !reserved.contains(name) else {
        throw Self.invalid("the update of \(subject) cannot set the member \"\(name)\"")
      }
      fields[name] = value
    }
    return fields
  }

  private static func invalid(_ message: String) -> ChangesetError {
    ChangesetError(code: .invalidUpdate, message: message)
  }
}
