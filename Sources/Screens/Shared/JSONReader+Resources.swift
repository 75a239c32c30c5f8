import CanonicalJSON

extension JSONReader {
  /// The string of the first of these members that is there; a `null` counts as absent.
  func optionalString(_ names: String...) throws(JSONShapeError) -> String? {
    for name in names {
      if let member = try nullableMember(name) { return try member.string() }
    }
    return nil
  }

  /// The id in a member, or `assigned` where the member is absent.
  func resourceID(
    _ name: String, assigned: ResourceID?
  ) throws(JSONShapeError) -> ResourceID {
    if let assigned, try nullableMember(name) == nil { return assigned }
    return try ResourceID(member(name))
  }
}
