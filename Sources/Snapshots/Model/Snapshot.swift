public import CanonicalJSON

/// A view model at one revision: an ordered list of sections of rows, and the states of the sources
/// that they are made from.
///
/// A snapshot is an immutable value. The id of a section is unique among the sections and the id of
/// a row among all rows of the snapshot, so both are found by id alone.
///
/// A changed copy shares its unchanged parts with the original and costs only the changes:
/// sections, rows and the indexes of their ids are persistent trees. The first look-up of a row by its id in a snapshot
/// that was made as a whole makes the index, which takes O(*n*), where *n* is the number of sections and rows.
///
///     let posts = Section(id: "posts", rows: [Row(id: "post/1", type: "post")])
///     let old = try Snapshot(sections: [posts])
///     var new = old
///     try new.appendItems([Row(id: "post/2", type: "post")], toSection: "posts")
///     let changeset = new.difference(from: old)
///     try old.applying(changeset).digest == new.digest  // true
public struct Snapshot: Sendable {
  private let storage: Storage

  /// The snapshot without states and sections.
  public static let empty = Snapshot(states: SourceStates([:]), index: .empty)

  /// Creates a snapshot of the sections of an index.
  init(states: SourceStates, index: SnapshotIndex, window: SeenWindow? = nil) {
    storage = Storage(states: states, index: index, window: window)
  }

  /// Returns the same sections with other states.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of states.
  package func with(states: [Text: Text]) -> Snapshot {
    states == self.states
      ? self : Snapshot(states: SourceStates(states), index: index, window: window)
  }

  /// Returns the same content, as seen through a window.
  package func with(window: SeenWindow?) -> Snapshot {
    window == self.window ? self : Snapshot(states: sourceStates, index: index, window: window)
  }

  /// The state of each source, and of each other state machine, by its name.
  public var states: [Text: Text] { storage.states.values }
  /// The sections in order.
  public var sections: Sections { Sections(tree: storage.index.sections) }
  /// The number of rows in all sections.
  public var rowCount: Int { storage.index.sections.measure.rowCount }
  /// The hash of the content; see ``Digest``.
  public var digest: Digest { storage.digest }
  /// The window through which the view model is seen; `nil` if the snapshot has all of its rows.
  public var window: SeenWindow? { storage.window }

  var sourceStates: SourceStates { storage.states }
  var index: SnapshotIndex { storage.index }

  /// Returns whether both are references to the same snapshot, which implies that they are equal.
  package func isIdentical(to other: Snapshot) -> Bool { storage === other.storage }

  private final class Storage: Sendable {
    let states: SourceStates
    let index: SnapshotIndex
    let window: SeenWindow?
    let digest: Digest

    /// The hash of what comes before the sections.
    private static let headHash = {
      var hash = FNV1a()
      hash.combine("{\"sections\":\"".utf8)
      return hash
    }()
    private static let middle = Array("\",\"states\":".utf8)

    init(states: SourceStates, index: SnapshotIndex, window: SeenWindow?) {
      var hash = Self.headHash
      hash.combine(index.sections.measure.fold)
      hash.combine(Self.middle)
      hash.combine(states.encoded)
      hash.combine(CollectionOfOne(UInt8(ascii: "}")))
      digest = Digest(hash: hash.value)
      self.states = states
      self.index = index
      self.window = window
    }
  }
}

extension Snapshot {
  /// Returns the index of the section with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(*l* + log *n*) expected, where *l* is the length of the id and *n* the number
  ///   of sections and rows.
  public func index(ofSection id: Text) -> Int? {
    index.section(Identifier(id))
  }

  /// Returns the position of the row with an id, or `nil` if there is none.
  ///
  ///     if let path = snapshot.path(ofRow: "post/2") { print(snapshot[path].fields) }
  ///
  /// - Complexity: O(*l* + log *n*) expected, where *l* is the length of the id and *n* the number
  ///   of sections and rows.
  public func path(ofRow id: Text) -> RowPath? {
    index.row(Identifier(id))
  }

  /// Returns the row at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of sections and rows.
  public subscript(path: RowPath) -> Row {
    sections[path.section].rows[path.row]
  }
}

extension Snapshot: Hashable {
  /// Returns whether the snapshots have the same states and sections, including the generations of sections and
  /// rows, and the same ``window``. To compare only the content, compare their ``digest``.
  ///
  /// - Complexity: O(1) for two references to the same snapshot and for different digests, else
  ///   O(*n*), where *n* is the number of rows; a part that both share is compared in O(1).
  public static func == (left: Snapshot, right: Snapshot) -> Bool {
    left.isIdentical(to: right)
      || (left.digest == right.digest && left.window == right.window
        && left.sections == right.sections && left.sourceStates == right.sourceStates)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
  }
}

extension Snapshot {
  /// The sections of a snapshot in order.
  ///
  /// Snapshots share their common sections, as sections share rows in ``Section/Rows``.
  public struct Sections: Sendable, Hashable {
    let tree: PersistentSequence<Section>
  }
}

extension Snapshot.Sections: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// Returns the section at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of sections.
  public subscript(position: Int) -> Section { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// An iterator over the sections in order, with O(1) amortised per section.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Section>.Iterator

    public mutating func next() -> Section? { base.next() }
  }
}

extension Snapshot {
  /// Creates a snapshot that shares all common parts with a previous one: sections, runs of rows,
  /// and rows that are equal but were created separately.
  ///
  /// So a view model can be laid out from scratch for each revision: the memory it takes and the
  /// time of the next diff depend only on the changes.
  ///
  ///     let new = try Snapshot(sections: layOut(state), reusing: old)
  ///
  /// - Parameters:
  ///   - states: The state of each source, and of each other state machine, by its name.
  ///   - sections: The sections in order.
  ///   - previous: The previous snapshot; unless given, nothing is shared.
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of rows and sections of
  ///   both snapshots and *m* the number of those between the common start and the common end of a
  ///   section.
  /// - Throws: ``SnapshotError`` if ids are not unique or elements cannot be written.
  public init(
    states: [Text: Text] = [:], sections: some Sequence<Section>,
    reusing previous: Snapshot = .empty
  ) throws(SnapshotError) {
    // What follows is not generic, so that it is specialised.
    try self.init(states, Array(sections), reusing: previous)
  }

  private init(
    _ states: [Text: Text], _ all: [Section], reusing previous: Snapshot
  ) throws(SnapshotError) {
    let sourceStates =
      states == previous.sourceStates.values ? previous.sourceStates : SourceStates(states)
    let tree =
      previous.index.sections.replacingEach(with: all)
      ?? previous.index.sections.rearranged(
        to: PersistentSequence(
          all.map { section in
            previous.index.section(section.identifier).map {
              section.reusing(previous.index.sections[$0])
            } ?? section
          }))
    if tree.isIdentical(to: previous.index.sections), sourceStates === previous.sourceStates {
      self = previous
    } else {
      self.init(states: sourceStates, index: try previous.index.updated(to: tree))
    }
  }
}

extension Section {
  /// Returns the previous section if nothing changed, else this section with the rows that both
  /// have in common shared.
  fileprivate func reusing(_ previous: Section) -> Section {
    if isIdentical(to: previous) { return self }
    // A list that was made from the previous one by operations shares with it already.
    let isVersion = rows.tree.root?.isVersion(of: previous.rows.tree.root) == true
    let (list, script) =
      isVersion ? (rows.tree, nil) : previous.rows.tree.rearrangement(to: rows.tree)
    guard hasSameFrame(as: previous) else { return with(list, by: script, from: previous) }
    if list.isIdentical(to: previous.rows.tree) { return previous }
    return isVersion && sharesFrame(with: previous)
      ? self : previous.with(list, by: script, from: previous)
  }
}

extension PersistentSequence<Section> {
  /// Returns the list of some sections, sharing with this one what is the same, if they are those of this list with
  /// other rows, as mostly; `nil` otherwise, and if there are many.
  fileprivate func replacingEach(with sections: [Section]) -> PersistentSequence? {
    guard let old = singleLeaf, old.count == sections.count else { return nil }
    return old.withUnsafeBufferPointer { old in
      sections.withUnsafeBufferPointer { new in
        // In their places: a subscript would retain both.
        let isInPlace = new.indices.allSatisfy { index in
          old.borrow(index) { old in new.borrow(index) { old.hasSameIdentifier(as: $0) } }
        }
        guard isInPlace else { return nil }
        var result = self
        for index in new.indices {
          old.borrow(index) { old in
            let section = new.borrow(index) { $0.reusing(old) }
            if !section.isIdentical(to: old) { result = result.replacing(index, with: section) }
          }
        }
        return result
      }
    }
  }
}

/// The state of each source by the name of the source, encoded once. Revisions with the same states
/// share it.
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
  /// Returns whether the names of the sources and their states have the same bytes.
  static func == (left: SourceStates, right: SourceStates) -> Bool {
    left === right || left.encoded == right.encoded
  }
}
