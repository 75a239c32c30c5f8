/// A view model at one revision: an ordered list of sections of rows, and the states of the
/// sources that it was made from. A value, never changed.
///
/// Every section's id is unique among the sections and every row's id among all rows of the
/// snapshot, so both are found by id alone.
public struct Snapshot: Sendable {
  private let storage: Storage

  /// Makes a snapshot.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows and sections.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  public init(
    states: [String: String] = [:], sections: some Sequence<Section>
  ) throws(SnapshotError) {
    let sections = Sections(sections)
    storage = Storage(
      states: states, sections: sections, index: try SnapshotIndex(of: sections))
  }

  /// The snapshot without states and sections.
  public static let empty = Snapshot(
    storage: Storage(states: [:], sections: Sections([]), index: SnapshotIndex()))

  private init(storage: Storage) {
    self.storage = storage
  }

  /// The state of each source by its name.
  public var states: [String: String] { storage.states }
  /// The sections in order.
  public var sections: Sections { storage.sections }
  /// The number of rows of all sections.
  public var rowCount: Int { storage.index.rowCount }
  /// The hash of the content; see ``Digest``.
  public var digest: Digest { storage.digest }

  var index: SnapshotIndex { storage.index }

  /// Whether both are references to one snapshot, which says at once that they are equal.
  func isIdentical(to other: Snapshot) -> Bool { storage === other.storage }

  private final class Storage: Sendable {
    let states: [String: String]
    let sections: Sections
    let index: SnapshotIndex
    let digest: Digest

    init(states: [String: String], sections: Sections, index: SnapshotIndex) {
      self.states = states
      self.sections = sections
      self.index = index
      let fold = DigestFold(sections.lazy.map(\.contentHash))
      var hash = FNV1a()
      hash.combine("{\"sections\":\"\(fold)\",\"states\":".utf8)
      hash.combine(Snapshot.encodedStates(states))
      hash.combine("}".utf8)
      digest = Digest(hash: hash.value)
    }
  }
}

extension Snapshot {
  /// The index of the section with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(1) expected, plus the length of the id; so is the next one's.
  public func index(ofSection id: String) -> Int? {
    index.section(Identifier(id))
  }

  /// The position of the row with an id, or `nil` if there is none.
  public func path(ofRow id: String) -> RowPath? {
    index.row(Identifier(id))
  }

  /// The row at a position.
  ///
  /// - Precondition: there is one.
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
        && encodedStates(left.states) == encodedStates(right.states))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}
