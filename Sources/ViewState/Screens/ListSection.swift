public import CanonicalJSON
public import Snapshots

/// A section of a view model, as a screen declares it.
public struct ListSection: Sendable {
  enum Content: Sendable {
    case declared(id: Text, fields: [Text: JSONValue], generation: Int, parts: [RowPart])
    /// All sections of a snapshot.
    case made(Snapshot)
    /// A section for each part of the screen that has rows.
    case eachPart
  }

  let content: Content

  /// Declares a section.
  ///
  /// - Parameters:
  ///   - id: The id of the section, unique in the view model and the same in every revision.
  ///   - fields: The members beside `id` and `rows`, such as a title.
  ///   - generation: A number that is not sent. If it changes, clients draw the section again, with its rows.
  ///   - rows: The rows of a ``RowType``, and `ForEach` for lists.
  public init(
    _ id: Text, fields: [Text: JSONValue] = [:], generation: Int = 0,
    @ListBuilder<RowPart> rows: () -> [RowPart]
  ) {
    content = .declared(id: id, fields: fields, generation: generation, parts: rows())
  }

  fileprivate init(_ content: Content) {
    self.content = content
  }

  /// A section for each part that has rows, from the list of parts that the engine keeps: a screen may make its parts anew
  /// each time that it is asked for them.
  package static let eachPart = ListSection(Content.eachPart)
}

extension ListBuilder<ListSection> {
  /// Declares all sections of a snapshot, for a state or a store that is changed by the operations of `Snapshot`.
  ///
  /// - Complexity: O(1).
  public static func buildExpression(_ snapshot: Snapshot) -> [ListSection] {
    [ListSection(.made(snapshot))]
  }
}
