public import CanonicalJSON
public import Snapshots

extension Snapshot {
  /// Reads the `states` and `sections` of a snapshot or reset document. The members that describe
  /// the content, `rowCount` and `digest`, are not compared here.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: `JSONShapeError` with the place of a member that is missing or of another kind than
  ///   it must be, and `SnapshotError` for ids that are not unique.
  public init(wire document: JSONReader) throws {
    let statesReader = try document.member("states")
    var states: [String: String] = [:]
    for name in try statesReader.memberNames {
      states[name] = try statesReader.member(name).string()
    }
    let sections = try document.member("sections").elements().map { try Section(wire: $0) }
    try self.init(states: states, sections: sections)
  }
}

extension Section {
  /// Reads a section's object: `id`, `rows`, and any other members as its fields.
  ///
  /// - Throws: `JSONShapeError`.
  public init(wire section: JSONReader) throws(JSONShapeError) {
    var fields = try section.object()
    fields["id"] = nil
    fields["rows"] = nil
    var rows: [Row] = []
    for row in try section.member("rows").elements() { rows.append(try Row(wire: row)) }
    self.init(id: try section.member("id").string(), fields: fields, rows: rows)
  }
}

extension Row {
  /// Reads a row's object: `id`, `type`, and any other members as its fields.
  ///
  /// - Throws: `JSONShapeError`.
  public init(wire row: JSONReader) throws(JSONShapeError) {
    var fields = try row.object()
    fields["id"] = nil
    fields["type"] = nil
    self.init(
      id: try row.member("id").string(), type: try row.member("type").string(), fields: fields)
  }
}

extension Digest {
  /// Reads a digest's string form.
  ///
  /// - Throws: `JSONShapeError` for anything that is no digest.
  init(wire digest: JSONReader) throws(JSONShapeError) {
    guard let value = Digest(try digest.string()) else {
      throw digest.error("expected a digest in base 36")
    }
    self = value
  }
}
