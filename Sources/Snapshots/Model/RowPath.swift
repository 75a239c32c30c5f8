/// The position of a row: the index of its section and its index in it, as UIKit's index paths.
public struct RowPath: Hashable, Sendable {
  public var section: Int
  public var row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Whether the left row stands before the right one.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as it stands on the wire: `[1,4]`.
  public var description: String { "[\(section),\(row)]" }
}
