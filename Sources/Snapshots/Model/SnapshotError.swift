/// Why some sections do not make a snapshot: ids that stand for more than one section or row.
public struct SnapshotError: Error, Hashable, Sendable {
  /// The ids that several sections have, each once, in the order of their second occurrence.
  public var duplicateSectionIDs: [String]
  /// The ids that several rows have, wherever in the snapshot, likewise.
  public var duplicateRowIDs: [String]

  public init(duplicateSectionIDs: [String] = [], duplicateRowIDs: [String] = []) {
    self.duplicateSectionIDs = duplicateSectionIDs
    self.duplicateRowIDs = duplicateRowIDs
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
