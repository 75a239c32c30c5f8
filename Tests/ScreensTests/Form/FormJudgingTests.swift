import CanonicalJSON
import Forms
import Synchronization
import Testing
import ViewState

@Suite("The values of a form")
struct FormJudgingTests {
  @Test("are judged when they are entered, and not again with each input")
  func once() throws {
    let rows = (0..<20).map { number -> JSONValue in
      ["id": .integer(number), "kind": "counted", "label": "L"]
    }
    let outline = CountedKinds.kinds.outline([["id": "s", "rows": .array(rows)]])
    var state = CountedState(fields: FormFields(outline))
    for number in 0..<20 { try state.enter("x", into: ResourceID(number)) }
    let before = CountedRule.judgements.load(ordering: .relaxed)
    try state.enter("y", into: 0)
    #expect(state.formSections.count == 1)
    let row = try #require(outline.row(19))
    #expect(state.fields.error(row)?.code == "counted")
    // Once to enter the value, and once to keep what is wrong with it.
    #expect(CountedRule.judgements.load(ordering: .relaxed) == before + 2)
  }
}

private struct CountedState: FormState {
  var fields: FormFields<CountedKinds>
}

private enum CountedKinds: FormKindSet {
  static let kinds = FormKinds.standard.adding(CountedRule.self).refusing("counted")
}

private struct CountedRule: LineRule {
  static let judgements = Atomic(0)
  static let kind: Text = "counted"
  static let fields: [Field<CountedRule>] = []
  static let rowType = RowType.field("countedField", "A field whose values are always wrong.")

  var input: InputType { InputType(type: .text) }

  func error(of text: Text) -> FieldError? {
    Self.judgements.add(1, ordering: .relaxed)
    return FieldError("counted", en: "That is wrong.")
  }
}
