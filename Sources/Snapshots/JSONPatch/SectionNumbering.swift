/// The new indexes of the sections that a changeset keeps, by their old ones.
struct SectionNumbering {
  private let staying: StayingElements
  private let moved: [Int: Int]

  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  init(_ sections: Changeset.Group<Int, Section>) {
    staying = StayingElements(
      departures: sections.deletes.map(\.at) + sections.moves.map(\.from),
      arrivals: sections.inserts.map(\.at) + sections.moves.map(\.to))
    moved = Dictionary(sections.moves.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
  }

  /// The new index of the section that has an old one.
  ///
  /// - Precondition: the section is not deleted.
  /// - Complexity: O(log *k*) expected, where *k* is the number of operations on sections.
  func newIndex(ofOld index: Int) -> Int {
    moved[index] ?? staying.newPosition(ofRank: staying.rank(atOld: index))
  }
}
