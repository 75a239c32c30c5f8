import CanonicalJSON
import Snapshots
import ViewState

/// What a row of a form is made from: its generator, and how deep it stands.
private struct Placed<Element: Equatable & Sendable>: Equatable, Sendable {
  let element: Element
  let depth: Int
}

extension RowCache {
  /// A row of a form, which says how deep it stands where it stands in a group.
  mutating func formRow<Element: Equatable & Sendable>(
    _ id: Text, type: Text, depth: Int, for element: Element,
    fields: (Element) -> [Text: JSONValue]
  ) -> Row {
    row(id, for: Placed(element: element, depth: depth)) { placed in
      var fields = fields(placed.element)
      if placed.depth > 0 { fields["depth"] = .integer(placed.depth) }
      return Row(id: id, type: type, fields: fields)
    }
  }
}
