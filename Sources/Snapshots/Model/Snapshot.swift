public import CanonicalJSON

/// A view model at one revision: an ordered list of sections of rows, and the states of the
/// sources that it was made from. A value, never changed.
///
/// Every section's id is unique among the sections and every row's id among all rows of the
/// snapshot, so both are found by id alone.
///
/// A changed copy shares with its original what did not change, and costs what did: sections and
/// rows stand in persistent trees, and so do the indexes of their ids.
public struct Snapshot: Sendable {
  private let storage: Storage

  /// Makes a snapshot.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows and sections.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  public init(
    states: [Text: Text] = [:], sections: some Sequence<Section>
  ) throws(SnapshotError) {
    storage = Storage(
      states: SourceStates(states),
      index: try SnapshotIndex.empty.updated(to: PersistentSequence(Array(sections))))
  }

  /// The snapshot without states and sections.
  public static let empty = Snapshot(states: SourceStates([:]), index: .empty)

  /// The snapshot of the sections that are indexed.
  init(states: SourceStates, index: SnapshotIndex) {
    storage = Storage(states: states, index: index)
  }

  /// The state of each source by its name.
  public var states: [Text: Text] { storage.states.values }
  /// The sections in order.
  public var sections: Sections { Sections(tree: storage.index.sections) }
  /// The number of rows of all sections.
  public var rowCount: Int { storage.index.sections.measure.rowCount }
  /// The hash of the content; see ``Digest``.
  public var digest: Digest { storage.digest }

  var sourceStates: SourceStates { storage.states }
  var index: SnapshotIndex { storage.index }

  /// Whether both are references to one snapshot, which says at once that they are equal.
  func isIdentical(to other: Snapshot) -> Bool { storage === other.storage }

  private final class Storage: Sendable {
    let states: SourceStates
    let index: SnapshotIndex
    let digest: Digest

    init(states: SourceStates, index: SnapshotIndex) {
      self.states = states
      self.index = index
      var hash = FNV1a()
      hash.combine("{\"sections\":\"\(index.sections.measure.fold)\",\"states\":".utf8)
      hash.combine(states.encoded)
      hash.combine("}".utf8)
      digest = Digest(hash: hash.value)
    }
  }
}

extension Snapshot {
  /// The index of the section with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and rows, plus the
  ///   length of the id; so is the next one's.
  public func index(ofSection id: Text) -> Int? {
    index.section(Identifier(id))
  }

  /// The position of the row with an id, or `nil` if there is none.
  public func path(ofRow id: Text) -> RowPath? {
    index.row(Identifier(id))
  }

  /// The row at a position.
  ///
  /// - Precondition: there is one.
  /// - Complexity: O(log *n*), where *n* is the number of sections and rows.
  public subscript(path: RowPath) -> Row {
    sections[path.section].rows[path.row]
  }
}

extension Snapshot: Hashable {
  /// Whether the snapshots have the same states and sections.
  ///
  /// - Complexity: O(1) for two references to one snapshot and for different digests, else O(*n*)
  ///   where *n* is the number of rows, counting what is shared by reference as one step.
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.isIdentical(to: right)
      || (left.digest == right.digest && left.sections == right.sections
        && left.sourceStates == right.sourceStates)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
