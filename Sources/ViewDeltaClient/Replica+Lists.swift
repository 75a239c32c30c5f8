public import CanonicalJSON
public import Snapshots

/// Lists of an app that a replica changes with each document.
extension Replica {
  /// Applies a document of any kind, and changes a list of the sections by single operations.
  ///
  /// The list gets `update` for a section whose fields or rows change, and can then change a list of the rows of this
  /// section:
  ///
  ///     struct Screen: TransformableList {
  ///       var elements: [Section] = []
  ///       var rows: [Names] = []
  ///
  ///       mutating func insert(_ new: Section, at index: Int) {
  ///         elements.insert(new, at: index)
  ///         rows.insert(Names(), at: index)
  ///         rows[index].transform(to: new.rows)
  ///       }
  ///       mutating func delete(_ old: Section, at index: Int) {
  ///         elements.remove(at: index)
  ///         rows.remove(at: index)
  ///       }
  ///       mutating func update(_ old: Section, at oldIndex: Int, to new: Section, at index: Int) {
  ///         elements[index] = new
  ///         rows[index].transform(to: new.rows)
  ///       }
  ///     }
  ///     var replica = try Replica(document: firstBody)
  ///     var screen = Screen()
  ///     screen.transform(to: replica.snapshot.sections)
  ///     try replica.apply(document: nextBody, to: &screen)
  ///
  /// - Precondition: The list has the sections of ``snapshot``.
  /// - Returns: The changes.
  /// - Complexity: That of ``apply(document:)``, and O(*s* + *k* log *k*) expected for *s* sections and *k*
  ///   operations on them.
  /// - Throws: ``ReplicaError``; the replica and the list are unchanged.
  @discardableResult
  public mutating func apply<List: TransformableList>(
    document bytes: [UInt8], to list: inout List
  ) throws(ReplicaError) -> Changeset where List.Element == Section {
    let old = snapshot
    let changeset = try apply(document: bytes)
    let new = snapshot
    list.perform(
      ListBatch(sections: changeset, from: old, to: new),
      from: { old.sections[$0] }, to: { new.sections[$0] })
    return changeset
  }

  /// Applies a document of any kind, and changes a list of the rows of one section by single operations.
  ///
  ///     var names = Names()
  ///     names.transform(to: replica.rows(ofSection: "players"))
  ///     try replica.apply(document: nextBody, to: &names, section: "players")
  ///
  /// A row that comes from another section is inserted; a row that goes to another section or changes its type
  /// is deleted. While the view model does not have the section, the list is empty.
  ///
  /// - Precondition: The list has the rows of the section in ``snapshot``.
  /// - Returns: The changes, of all sections.
  /// - Complexity: That of ``apply(document:)``, and O(*k* log *n*) expected, where *k* is the number of
  ///   operations and *n* the number of rows.
  /// - Throws: ``ReplicaError``; the replica and the list are unchanged.
  @discardableResult
  public mutating func apply<List: TransformableList>(
    document bytes: [UInt8], to list: inout List, section id: Text
  ) throws(ReplicaError) -> Changeset where List.Element == Row {
    let (old, oldRows) = (snapshot, rows(ofSection: id))
    let changeset = try apply(document: bytes)
    let newRows = rows(ofSection: id)
    list.perform(
      ListBatch(rowsOf: id, changeset, from: old, to: snapshot),
      from: { oldRows[$0] }, to: { newRows[$0] })
    return changeset
  }

  /// Returns the rows of a section; none if the view model does not have the section.
  ///
  /// - Complexity: O(*l* + log *n*) expected, where *l* is the length of the id and *n* the number of
  ///   sections and rows.
  public func rows(ofSection id: Text) -> Section.Rows {
    snapshot.index(ofSection: id).map { snapshot.sections[$0].rows } ?? Section.Rows([])
  }
}
