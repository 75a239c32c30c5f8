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

extension Snapshot {
  /// The sections of a snapshot, in order.
  ///
  /// Snapshots share what is the same in them, as ``Section/Rows`` do.
  public struct Sections: Sendable, Hashable {
    let tree: PersistentSequence<Section>

    init(tree: PersistentSequence<Section>) {
      self.tree = tree
    }
  }
}

extension Snapshot.Sections: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// The section at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  /// - Complexity: O(log *n*), where *n* is the number of sections.
  public subscript(position: Int) -> Section { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// Walks the sections in order; a section costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Section>.Iterator

    public mutating func next() -> Section? { base.next() }
  }
}

extension Snapshot {
  /// Makes a snapshot that shares with a previous one whatever is the same in both: sections, runs
  /// of rows, and rows that are but equal.
  ///
  /// So a view model that is laid out anew for each revision, row by row, costs the memory of what
  /// changed, and the next diff the time.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of rows and sections of
  ///   both and *m* that between the ends of sections that are the same.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  public init(
    states: [Text: Text] = [:], sections: some Sequence<Section>, reusing previous: Snapshot
  ) throws(SnapshotError) {
    let sections = sections.map { section in
      previous.index.section(section.identifier)
        .map { section.reusing(previous.sections[$0]) } ?? section
    }
    var sourceStates = SourceStates(states)
    if sourceStates == previous.sourceStates { sourceStates = previous.sourceStates }
    let tree = previous.sections.tree.rearranged(to: sections)
    if tree.isIdentical(to: previous.sections.tree), sourceStates === previous.sourceStates {
      self = previous
    } else {
      self.init(states: sourceStates, index: try previous.index.updated(to: tree))
    }
  }
}

extension Section {
  /// The same section, or the previous one if nothing changed, or one that shares rows with it.
  fileprivate func reusing(_ previous: Section) -> Section {
    if isIdentical(to: previous) { return self }
    let rows = self.rows.tree.reusing(previous.rows.tree)
    guard hasSameFrame(as: previous) else { return with(rows) }
    return rows.isIdentical(to: previous.rows.tree) ? previous : previous.with(rows)
  }
}

extension PersistentSequence {
  /// The same list, sharing with a previous one.
  fileprivate func reusing(_ previous: PersistentSequence) -> PersistentSequence {
    // What was made of the previous list by its operations shares already.
    if TreeAlignment(from: previous, to: self).runs.contains(where: { $0.isShared }) { return self }
    return previous.rearranged(to: elements(in: indices))
  }
}

extension Snapshot {
  /// What the snapshot holds in memory, in bytes, estimated.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int {
    let measure = sections.tree.measure
    return Self.byteCount(ofRows: measure.rowCount, encodedByteCount: measure.byteCount)
      + Self.indexEntryByteCount * (measure.rowCount + measure.count)
  }

  /// What the snapshot holds in memory that another one does not, in bytes, estimated: what it
  /// costs to keep it where the other is kept anyway.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has and
  ///   of the elements in them.
  public func byteCount(beside other: Snapshot) -> Int {
    if isIdentical(to: other) { return 0 }
    let changes = SnapshotChanges(from: other.sections.tree, to: sections.tree)
    return Self.byteCount(of: changes.sections) { $0.encodedHead.count + $0.encodedTail.count }
      + Self.byteCount(of: changes.rows) { $0.encoded.count }
  }

  private static func byteCount<Element>(
    of changes: [NodeChange<Element>], encodedByteCount: (Element) -> Int
  ) -> Int {
    var total = 0
    for change in changes {
      guard let new = change.new else { continue }
      total += nodeByteCount
      total += new.elements.count * MemoryLayout<Element>.stride
      total += new.children.count * MemoryLayout<TreeNode<Element>.Child>.stride
      let old = change.old?.elements ?? []
      for (index, element) in new.elements.enumerated() {
        if index < old.count, old[index].isIdentical(to: element) { continue }
        if old.contains(where: { $0.isIdentical(to: element) }) { continue }
        total += byteCount(ofRows: 1, encodedByteCount: encodedByteCount(element))
      }
      total += change.movedElements().arrived.count * indexEntryByteCount
    }
    return total
  }

  /// The bytes of rows: their JSON, as much again for their fields, and the objects themselves.
  private static func byteCount(ofRows count: Int, encodedByteCount: Int) -> Int {
    2 * encodedByteCount + 128 * count
  }

  /// The bytes of an element's entry in the index, with its share of the nodes there.
  private static let indexEntryByteCount = 64
  /// The bytes of a node beside what stands in it.
  private static let nodeByteCount = 160
}

/// The state of each source by its name, encoded once: the revisions that agree in them share it.
final class SourceStates: Sendable {
  let values: [Text: Text]
  /// The canonical JSON: an object of strings.
  let encoded: [UInt8]

  init(_ values: [Text: Text]) {
    self.values = values
    encoded = JSONValue.object(values.mapValues { .string($0) }).canonicalBytes()
  }
}

extension SourceStates: Equatable {
  /// Whether the sources and their states have the same bytes.
  static func == (left: SourceStates, right: SourceStates) -> Bool {
    left === right || left.encoded == right.encoded
  }
}
