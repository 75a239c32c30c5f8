import CanonicalJSON
import ViewState

/// The sections and rows of a form, each row with its state.
///
/// Ids are unique among all rows, however deep; lists of rows are in the order of their weights;
/// rows that others name are there; and no row is shown only while it is shown itself.
public struct FormOutline: Equatable, Sendable {
  public var sections: [FormSection]
}

extension FormOutline {
  /// Reads the member `sections`, every row in its initial state.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  init(_ reader: JSONReader, limits: FormLimits) throws(JSONShapeError) {
    sections = []
    guard let list = try reader.nullableMember("sections") else { return }
    for element in try list.elements() { sections.append(try FormSection(element)) }
    let fault: JSONShapeError?
    do throws(JSONShapeError) {
      try check(against: limits)
      fault = nil
    } catch {
      fault = error
    }
    if let fault { throw fault.within(reader.pointer.tokens) }
    for index in sections.indices { sections[index].rows = sections[index].rows.sortedByWeight }
  }

  /// The sections as `init(_:limits:)` reads them.
  var json: JSONValue { .array(sections.map(\.json)) }

  /// All rows, each with the place in a description and the id of the group that it stands in.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  var allRows: [(row: FormRow, place: [Text], group: ResourceID?)] {
    sections.enumerated().flatMap { index, section in
      section.rows.all(in: ["sections", "\(index)"], beneath: nil)
    }
  }

  /// What there is to say of the rows, by their ids, which `check(against:)` has found to be unique;
  /// rows of which there is nothing to say are left out.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  func byID<Value>(
    _ value: ((row: FormRow, place: [Text], group: ResourceID?)) -> Value?
  ) -> [ResourceID: Value] {
    allRows.reduce(into: [:]) { values, entry in values[entry.row.id] = value(entry) }
  }

  /// The values that the rows stand for, by their ids.
  var answers: [ResourceID: JSONValue] { byID(\.row.generator.answer) }

  /// Changes the generator of every row.
  mutating func changeAll(_ change: (inout any RowGenerator) -> Void) {
    for index in sections.indices { sections[index].rows.changeAll(change) }
  }
}

extension [FormRow] {
  /// The rows with those beneath them.
  func all(
    in place: [Text], beneath group: ResourceID?
  ) -> [(row: FormRow, place: [Text], group: ResourceID?)] {
    enumerated().flatMap { index, row in
      let place = place + ["rows", "\(index)"]
      return [(row, place, group)] + row.children.all(in: place, beneath: row.id)
    }
  }

  fileprivate mutating func changeAll(_ change: (inout any RowGenerator) -> Void) {
    for index in indices {
      change(&self[index].generator)
      self[index].children.changeAll(change)
    }
  }
}

extension JSONShapeError {
  /// The same fault as seen from further out.
  func within(_ tokens: [Text]) -> JSONShapeError {
    JSONShapeError(pointer: JSONPointer(tokens: tokens + pointer.tokens), message: message)
  }

  /// A fault at a place.
  init(_ place: [Text], _ message: String) {
    self.init(pointer: JSONPointer(tokens: place), message: message)
  }
}

/// With what became of the rows.
extension FormOutline: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    sections = try reader.member("sections").decode([FormSection].self)
    do throws(JSONShapeError) {
      try check(against: .none)
    } catch {
      throw reader.error(error.message)
    }
    for index in sections.indices { sections[index].rows = sections[index].rows.sortedByWeight }
  }
}
