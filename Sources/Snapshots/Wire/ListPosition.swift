import CanonicalJSON

/// The position of an element in one of several lists: of a row in its section, or of a section in
/// the only list of sections.
protocol ListPosition: Comparable {
  /// The number of the list.
  var list: Int { get }
  /// The position in that list.
  var indexInList: Int { get }
  /// The place of the element in the wire document of the snapshot.
  var place: DocumentPlace { get }
  /// Writes the position as a diff has it: a number for a section, a pair of numbers for a row.
  func encode(into writer: inout JSONWriter)

  init(list: Int, indexInList: Int)
}

extension Int: ListPosition {
  var list: Int { 0 }
  var indexInList: Int { self }
  var place: DocumentPlace { .section(self) }

  func encode(into writer: inout JSONWriter) { writer.integer(self) }

  init(list: Int, indexInList: Int) {
    self = indexInList
  }
}

extension RowPath: ListPosition {
  var list: Int { section }
  var indexInList: Int { row }
  var place: DocumentPlace { .row(self) }

  func encode(into writer: inout JSONWriter) {
    writer.raw(UInt8(ascii: "["))
    writer.integer(section)
    writer.raw(UInt8(ascii: ","))
    writer.integer(row)
    writer.raw(UInt8(ascii: "]"))
  }

  init(list: Int, indexInList: Int) {
    self.init(section: list, row: indexInList)
  }
}
