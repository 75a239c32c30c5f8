extension JSONValue {
  /// The value after a JSON Merge Patch (RFC 7396 §2): members of the patch replace those of the
  /// value, objects merge member by member, `null` removes a member, and a patch that is no object
  /// replaces the whole value.
  ///
  /// - Complexity: O(*n*) where *n* is the number of values in the patch.
  public func mergePatched(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    // A target that is no object counts as an empty one (RFC 7396 §2, the pseudocode's second test).
    var members: [Text: JSONValue] = if case .object(let members) = self { members } else { [:] }
    for (name, change) in changes {
      let old = members.removeValue(forKey: name)
      if case .null = change { continue }
      members[name] = (old ?? .null).mergePatched(with: change)
    }
    return .object(members)
  }
}
