import CanonicalJSON
public import Snapshots
public import ViewState

extension FormState {
  /// The types of the rows of all kinds, and of the errors of fields.
  public static var formRowTypes: [RowTypeDescriptor] {
    let kinds = Kinds.kinds
    return kinds.all.map(\.rowType) + [FieldErrorLine.rowType(codes: kinds.errorCodes).descriptor]
  }

  /// The sections of the form. The row of a field has the same id as in the description. The rows after it, such as
  /// its error, have ids that begin with this id and a slash.
  ///
  /// A section whose rows are all hidden is left out. A section without rows stays, so that users can put rows into it.
  /// If `body` leaves these sections out, the commands of the form still work: ``submit(as:)`` must refuse what must not
  /// be submitted then.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  @ListBuilder<ListSection>
  public var formSections: [ListSection] {
    // Read once: it may be computed, and is copied.
    let fields = fields
    for (section, shown) in zip(fields.outline.sections, fields.shown)
    where section.rows.isEmpty || !shown.isEmpty {
      ListSection(
        section.id.text, fields: section.title.map { ["title": .string($0)] } ?? [:]
      ) {
        for (row, depth) in shown {
          fields.rows(of: row, depth, in: section)
          rows(behind: row, depth: depth)
        }
      }
    }
  }
}

extension FormFields {
  /// The row, and its error.
  @ListBuilder<RowPart>
  fileprivate func rows(of row: FormRow, _ depth: Int, in section: FormSection) -> [RowPart] {
    let id = row.id.text
    switch row.field {
    case .shown(let content):
      content.line(
        row.id, depth, isCollapsed: isCollapsed(row), title: section.title, in: language)
    case .input:
      if let field = input(of: row), let value = answer(row) {
        if let choice = field.rule as? DropdownRule,
          let mistake = DropdownRule.mistake(in: choice.options)
        {
          RowPart(failing: mistake.within([id, "options"]))
        }
        field.rowType(id, InputLine(id: row.id, field: field, value: value, depth: depth))
      }
      if let error = error(row) {
        #if DEBUG
          // Clients that are generated from the OpenAPI document read no other code.
          if !Kinds.kinds.errorCodes.contains(error.code) {
            RowPart(
              failing: JSONShapeError(
                [id], "the field has the error “\(error.code)”: list the code by `refusing`"))
          }
        #endif
        FieldErrorLine.rowType(
          "\(id)/error",
          FieldErrorLine(field: row.id, error: error, depth: depth, language: language))
      }
    }
  }
}

extension ShownRow {
  fileprivate func line(
    _ id: ResourceID, _ depth: Int, isCollapsed: Bool, title: Text?, in language: Language
  ) -> RowPart {
    Self.rowType(
      id.text,
      ShownLine(
        id: id, content: self, depth: depth, isCollapsed: isCollapsed, title: title,
        language: language))
  }
}

/// What is wrong with the value of a field.
private struct FieldErrorLine: Equatable, Sendable {
  let field: ResourceID
  let error: FieldError
  let depth: Int
  let language: Language

  static let rowType = rowType(codes: FieldError.standardCodes)

  /// - Parameter codes: The codes that the schema lists. Rows with others can be made too.
  static func rowType(codes: [Text]) -> RowType<FieldErrorLine> {
    let code = ValueType<Text>.text([
      "type": "string", "enum": .array(codes.map(JSONValue.string)),
    ])
    return RowType(
      "fieldError",
      "The error of a value, directly after its field, whose id is in `field`. The text is that of the "
        + "form if the form has one."
    ) {
      Field("field") { $0.field.text }
      Field("code", \.error.code, code)
      Field("text") { $0.error.text[$0.language] }
      Field.depth(\.depth)
    }
  }
}
