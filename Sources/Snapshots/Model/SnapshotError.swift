public import CanonicalJSON

/// The ids of the sections and rows that cannot form a snapshot: several have the same id, or one cannot
/// be written.
public struct SnapshotError: Error, Hashable, Sendable {
  /// The ids that several sections have, each once.
  public var duplicateSectionIDs: [Text]
  /// The ids that several rows have, in the same section or in different ones, each once.
  public var duplicateRowIDs: [Text]
  /// The ids of sections with a field named `id` or `rows`, with a number that JSON cannot represent, or with
  /// more than 512 levels.
  public var unwritableSectionIDs: [Text]
  /// The ids of rows with a field named `id` or `type`, with a number that JSON cannot represent, or with more
  /// than 512 levels.
  public var unwritableRowIDs: [Text]

  /// Creates an error with the ids, by default with none.
  public init(
    duplicateSectionIDs: [Text] = [], duplicateRowIDs: [Text] = [],
    unwritableSectionIDs: [Text] = [], unwritableRowIDs: [Text] = []
  ) {
    self.duplicateSectionIDs = duplicateSectionIDs
    self.duplicateRowIDs = duplicateRowIDs
    self.unwritableSectionIDs = unwritableSectionIDs
    self.unwritableRowIDs = unwritableRowIDs
  }
}

extension SnapshotError: CustomStringConvertible {
  /// One sentence with the ids, of each kind at most ten.
  public var description: String {
    [
      Self.clause("not unique", duplicateSectionIDs, duplicateRowIDs),
      Self.clause(
        "with a reserved field, a number that JSON cannot represent or more than 512 levels",
        unwritableSectionIDs, unwritableRowIDs),
    ].compactMap(\.self).joined(separator: "; ")
  }

  private static func clause(_ fault: String, _ sectionIDs: [Text], _ rowIDs: [Text]) -> String? {
    let lists = [
      sectionIDs.isEmpty ? nil : "section ids \(sectionIDs.excerpt)",
      rowIDs.isEmpty ? nil : "row ids \(rowIDs.excerpt)",
    ].compactMap(\.self)
    return lists.isEmpty ? nil : "\(fault): \(lists.joined(separator: ", "))"
  }
}

extension [Text] {
  /// The ids, each once.
  var distinct: [Text] {
    var known: Set<Text> = []
    return filter { known.insert($0).inserted }
  }

  /// The ids for a message, each once. Of many it names the first ten, because clients show it and keep it.
  var excerpt: String {
    let ids = distinct
    let rest = ids.count - 10
    return rest <= 0
      ? "\(ids)" : "\(ids.prefix(10)) and \(rest) \(rest == 1 ? "other" : "others")"
  }
}
