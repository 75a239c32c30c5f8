public import CanonicalJSON

/// Why some sections do not make a snapshot: ids that stand for more than one section or row.
public struct SnapshotError: Error, Hashable, Sendable {
  /// The ids that several sections have, each once, in the order of their second occurrence.
  public var duplicateSectionIDs: [Text]
  /// The ids that several rows have, wherever in the snapshot, likewise.
  public var duplicateRowIDs: [Text]

  public init(duplicateSectionIDs: [Text] = [], duplicateRowIDs: [Text] = []) {
    self.duplicateSectionIDs = duplicateSectionIDs
    self.duplicateRowIDs = duplicateRowIDs
  }
}

extension SnapshotError {
  /// Names a section's id, unless it is named already.
  mutating func note(duplicateSection id: Text) { Self.note(id, in: &duplicateSectionIDs) }

  /// Names a row's id, unless it is named already.
  mutating func note(duplicateRow id: Text) { Self.note(id, in: &duplicateRowIDs) }

  private static func note(_ id: Text, in ids: inout [Text]) {
    if !ids.contains(id) { ids.append(id) }
  }
}

extension SnapshotError: CustomStringConvertible {
  /// One sentence that names the ids.
  public var description: String {
    let sections = duplicateSectionIDs.isEmpty ? nil : "section ids \(duplicateSectionIDs)"
    let rows = duplicateRowIDs.isEmpty ? nil : "row ids \(duplicateRowIDs)"
    return "not unique: " + [sections, rows].compactMap(\.self).joined(separator: ", ")
  }
}
