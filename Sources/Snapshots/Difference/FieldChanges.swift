import CanonicalJSON

/// What turns the fields of a row or section into others.
struct FieldChanges {
  /// The fields that are new or different.
  var set: [String: JSONValue] = [:]
  /// The names of the fields that are gone, sorted by their bytes.
  var unset: [String] = []

  var isEmpty: Bool { self.set.isEmpty && unset.isEmpty }

  init(set: [String: JSONValue], unset: [String]) {
    self.set = set
    self.unset = unset
  }

  /// - Complexity: O(*n*) expected, where *n* is the size of both, and O(*g* log *g*) for the *g*
  ///   fields that are gone.
  init(from old: [String: JSONValue], to new: [String: JSONValue]) {
    for (name, value) in new where !Self.field(named: name, in: old, equals: value) {
      set[name] = value
    }
    for name in old.keys where !Self.has(name, in: new) { unset.append(name) }
    unset.sort { $0.precedesInBytes($1) }
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
    to fields: [String: JSONValue], of subject: String, reserved: Set<String>
  ) throws(ChangesetError) -> [String: JSONValue] {
    if isEmpty { throw Self.invalid("the update of \(subject) changes nothing") }
    var fields = fields
    // First unset, then set: a name can give way to one that is equivalent but has other bytes.
    for name in unset {
      guard Self.has(name, in: fields), !Self.has(name, in: self.set) else {
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

  private static func has(_ name: String, in fields: [String: JSONValue]) -> Bool {
    guard let index = fields.index(forKey: name) else { return false }
    return fields[index].key.hasSameBytes(as: name)
  }

  private static func field(
    named name: String, in fields: [String: JSONValue], equals value: JSONValue
  ) -> Bool {
    guard let index = fields.index(forKey: name) else { return false }
    return fields[index].key.hasSameBytes(as: name) && fields[index].value == value
  }
}
