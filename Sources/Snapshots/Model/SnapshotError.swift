public import CanonicalJSON

/// The ids that keep sections from forming a snapshot, because several sections or rows have them.
public struct SnapshotError: Error, Hashable, Sendable {
  /// The ids that several sections have, each once, in the order of their second occurrence.
  public var duplicateSectionIDs: [Text]
  /// The ids that several rows have, in the same section or in different ones, each once, in the
  /// order of their second occurrence.
  public var duplicateRowIDs: [Text]

  /// Creates an error with the ids that are not unique.
  public init(duplicateSectionIDs: [Text] = [], duplicateRowIDs: [Text] = []) {
    self.duplicateSectionIDs = duplicateSectionIDs
    self.duplicateRowIDs = duplicateRowIDs
  }
}

extension SnapshotError {
  /// Adds the id of a section, unless it is in the list already.
  mutating func note(duplicateSection id: Text) { Self.note(id, in: &duplicateSectionIDs) }

  /// Adds the id of a row, unless it is in the list already.
  mutating func note(duplicateRow id: Text) { Self.note(id, in: &duplicateRowIDs) }

  private static func note(_ id: Text, in ids: inout [Text]) {
    if !ids.contains(id) { ids.append(id) }
  }
}

extension SnapshotError: CustomStringConvertible {
  /// One sentence with the ids.
  public var description: String {
    let sections = duplicateSectionIDs.isEmpty ? nil : "section ids \(duplicateSectionIDs)"
    let rows = duplicateRowIDs.isEmpty ? nil : "row ids \(duplicateRowIDs)"
    return "not unique: " + [sections, rows].compactMap(\.self).joined(separator: ", ")
  }
}
