public import CanonicalJSON

extension Section {
  /// Creates a section with declared rows.
  ///
  /// - Parameters:
  ///   - rows: The rows and lists of rows, in order.
  ///   - id: The id of the section, unique in its snapshot and the same in every revision.
  ///   - fields: Members of the section's object beside `id` and `rows`, such as a title.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  public init(
    id: Text, fields: [Text: JSONValue] = [:], @ListBuilder<RowPart> rows: () -> [RowPart]
  ) {
    // Without an earlier assembly there is nothing to take rows from.
    var cache = RowCache()
    self.init(id: id, fields: fields, rows: RowLayout(rows(), &cache).rows)
  }
}

extension Snapshot {
  /// Creates a snapshot with declared sections, which shares all common parts with a previous snapshot; see
  /// ``init(states:sections:reusing:)``.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of rows and sections of
  ///   both snapshots and *m* the number of those between the common start and the common end of a section.
  /// - Throws: ``SnapshotError`` if ids are not unique or elements cannot be written.
  public init(
    states: [Text: Text] = [:], reusing previous: Snapshot = .empty,
    @ListBuilder<Section> sections: () -> [Section]
  ) throws(SnapshotError) {
    try self.init(states: states, sections: sections(), reusing: previous)
  }
}
