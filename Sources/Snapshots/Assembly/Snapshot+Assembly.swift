public import CanonicalJSON

extension Section {
  /// Makes a section of the rows that are declared.
  ///
  /// - Parameters:
  ///   - rows: The rows and lists of rows, in order.
  ///   - id: What the section is, unique in its snapshot and the same in every revision.
  ///   - fields: Members of the section's object beside `id` and `rows`, such as a title.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  public init(
    id: Text, fields: [Text: JSONValue] = [:], @ListBuilder<RowPart> rows: () -> [RowPart]
  ) {
    self.init(id: id, fields: fields, rows: rows())
  }
}

extension Snapshot {
  /// Makes a snapshot of the sections that are declared, sharing with a previous one whatever is
  /// the same in both; see ``init(states:sections:reusing:)``.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of rows and sections of
  ///   both and *m* that between the ends of sections that are the same.
  /// - Throws: ``SnapshotError`` if ids are not unique or elements cannot be written.
  public init(
    states: [Text: Text] = [:], reusing previous: Snapshot = .empty,
    @ListBuilder<Section> sections: () -> [Section]
  ) throws(SnapshotError) {
    try self.init(states: states, sections: sections(), reusing: previous)
  }
}
