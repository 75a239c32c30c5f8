import CanonicalJSON
import Snapshots

extension Changeset {
  /// Reads the content of a diff document: `rowCount`, `digest` and, if present, `states`,
  /// `sections`, `rows`, `window` and `animated`.
  ///
  /// `Snapshot.applying(_:)` checks whether the operations are valid.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: `JSONShapeError` with the pointer to a member that is missing or has the wrong type.
  init(wire document: JSONReader) throws(JSONShapeError) {
    self.init(
      states: try Self.states(document),
      sections: try Self.group(
        document, "sections",
        position: { reader throws(JSONShapeError) in try reader.integer() },
        element: { insert throws(JSONShapeError) in
          try Section(wire: try insert.member("section"))
        }),
      rows: try Self.group(
        document, "rows",
        position: { reader throws(JSONShapeError) in try RowPath(wire: reader) },
        element: { insert throws(JSONShapeError) in try Row(wire: try insert.member("row")) }),
      rowCount: try document.member("rowCount").integer(),
      digest: try Digest(wire: try document.member("digest")),
      window: try SeenWindow(ofDocument: document))
    isAnimated = try document.optionalMember("animated")?.bool() ?? true
  }

  private static func states(
    _ document: JSONReader
  ) throws(JSONShapeError) -> [Text: Text?] {
    var changes: [Text: Text?] = [:]
    guard let states = try document.optionalMember("states") else { return changes }
    for name in try states.memberNames {
      changes[name] = .some(try states.nullableMember(name)?.string())
    }
    return changes
  }

  private static func group<Position, Element>(
    _ document: JSONReader, _ name: Text,
    position: (JSONReader) throws(JSONShapeError) -> Position,
    element: (JSONReader) throws(JSONShapeError) -> Element
  ) throws(JSONShapeError) -> Group<Position, Element> {
    var group = Group<Position, Element>()
    guard let reader = try document.optionalMember(name) else { return group }
    for delete in try operations(reader, "deletes") {
      group.deletes.append(
        Deletion(id: try delete.member("id").string(), at: try position(delete.member("at"))))
    }
    for insert in try operations(reader, "inserts") {
      group.inserts.append(
        Insertion(at: try position(insert.member("at")), element: try element(insert)))
    }
    group.moves = try moves(reader, "moves", position)
    group.reloads = try moves(reader, "reloads", position)
    for update in try operations(reader, "updates") {
      var unset: [Text] = []
      for name in try operations(update, "unset") { unset.append(try name.string()) }
      group.updates.append(
        Update(
          id: try update.member("id").string(), from: try position(update.member("from")),
          to: try position(update.member("to")),
          set: try update.optionalMember("set")?.object() ?? [:], unset: unset))
    }
    return group
  }

  /// Reads the moves, or the reloads, in an array member.
  private static func moves<Position>(
    _ reader: JSONReader, _ name: Text,
    _ position: (JSONReader) throws(JSONShapeError) -> Position
  ) throws(JSONShapeError) -> [Move<Position>] {
    try operations(reader, name).map { move throws(JSONShapeError) in
      Move(
        id: try move.member("id").string(), from: try position(move.member("from")),
        to: try position(move.member("to")))
    }
  }

  /// Returns the elements of an array member, or an empty list if the member is absent.
  private static func operations(
    _ reader: JSONReader, _ name: Text
  ) throws(JSONShapeError) -> [JSONReader] {
    try reader.optionalMember(name)?.elements() ?? []
  }
}

extension RowPath {
  /// Reads a pair of numbers, `[section,row]`.
  ///
  /// - Throws: `JSONShapeError` if the value is not a pair of numbers.
  init(wire path: JSONReader) throws(JSONShapeError) {
    let numbers = try path.elements()
    guard numbers.count == 2 else {
      throw path.error("expected a section's and a row's index")
    }
    self.init(section: try numbers[0].integer(), row: try numbers[1].integer())
  }
}
