/// A position of an element in one of several lists: that of a row in its section, or that of a
/// section in the one list of sections.
protocol ListPosition: Comparable {
  /// The number of the list.
  var list: Int { get }
  /// The position in that list.
  var indexInList: Int { get }
  /// Where the element stands in the wire document of the snapshot.
  var place: DocumentPlace { get }

  init(list: Int, indexInList: Int)
}

extension Int: ListPosition {
  var list: Int { 0 }
  var indexInList: Int { self }
  var place: DocumentPlace { .section(self) }

  init(list: Int, indexInList: Int) {
    self = indexInList
  }
}

extension RowPath: ListPosition {
  var list: Int { section }
  var indexInList: Int { row }
  var place: DocumentPlace { .row(self) }

  init(list: Int, indexInList: Int) {
    self.init(section: list, row: indexInList)
  }
}
