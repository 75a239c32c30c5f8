extension JSONValue {
  /// Returns the changes that turn another value into this one, for ``changed(by:)``.
  ///
  /// If both values are objects, the result is an object with the members that differ: `null` for a member that this
  /// value does not have, and otherwise the changes of the member. If one of both values is no object or missing, the
  /// changes are an array with this value as its only element. Unlike a JSON Merge Patch, changes can also set a member
  /// to `null`:
  ///
  /// ```swift
  /// let json: JSONValue = ["a": 1, "b": ["c": nil]]
  /// json.changes(from: ["a": 1, "b": ["d": 2]])  // {"b":{"c":[null],"d":null}}
  /// ```
  ///
  /// - Complexity: O(*n* · *d*) expected, where *n* is the size of both values and *d* the depth of the objects in which
  ///   they differ: each is compared as a whole before its members are. Arrays and objects that are copies of each other
  ///   cost O(1).
  package func changes(from base: JSONValue) -> JSONValue {
    guard case .object(let members) = self, case .object(let former) = base else { return [self] }
    var changes: [Text: JSONValue] = [:]
    for (name, value) in members {
      guard let old = former[name] else {
        changes[name] = [value]
        continue
      }
      if value != old { changes[name] = value.changes(from: old) }
    }
    for name in former.keys where members[name] == nil { changes[name] = .null }
    return .object(changes)
  }

  /// Returns the value that has these ``changes(from:)`` this one; `nil` if the changes do not fit this value.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of members of the objects that change.
  package func changed(by changes: JSONValue) -> JSONValue? {
    switch (self, changes) {
    case (_, .array(let values)):
      // In an expression `nil` would be the JSON value `null`.
      guard values.count == 1 else { return nil }
      return values[0]
    case (.object(var members), .object(let changes)):
      for (name, change) in changes {
        if change == .null {
          members.removeValue(forKey: name)
        } else {
          guard let value = (members[name] ?? .null).changed(by: change) else { return nil }
          members[name] = value
        }
      }
      return .object(members)
    default: return nil
    }
  }
}
