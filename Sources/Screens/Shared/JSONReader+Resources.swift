import CanonicalJSON

extension JSONReader {
  /// The text of the first of these members that is there; a `null` counts as absent.
  ///
  /// - Parameter limit: how many bytes it may have.
  func optionalText(
    _ names: Text..., atMost limit: Int = longestShownText
  ) throws(JSONShapeError) -> Text? {
    for name in names {
      if let member = try nullableMember(name) { return try member.text(atMost: limit) }
    }
    return nil
  }

  /// The id in a member, or `assigned` where the member is absent.
  func resourceID(
    _ name: Text, assigned: ResourceID?
  ) throws(JSONShapeError) -> ResourceID {
    if let assigned, try nullableMember(name) == nil { return assigned }
    return try ResourceID(member(name))
  }
}
