import CanonicalJSON
import Forms
import Testing
import ViewState

/// A form in two steps.
private struct Order: ScreenState, FormState {
  var fields = FormFields<StandardKinds>(Order.outline(step: 1))
  var step = 1
  var answers: [Text: JSONValue]?

  static func outline(step: Int) -> FormOutline {
    func visibility(_ own: Int) -> JSONValue { step == own ? "visible" : "hidden" }
    return FormKinds.standard.outline([
      [
        "id": "order",
        "rows": [
          [
            "id": "name", "kind": "text", "label": "Name", "required": true,
            "visibility": visibility(1),
          ],
          ["id": "note", "kind": "text", "label": "Note", "visibility": visibility(1)],
          ["id": "gift", "kind": "switch", "label": "A gift", "visibility": visibility(1)],
          [
            "id": "street", "kind": "text", "label": "Street", "required": true,
            "visibility": visibility(2),
          ],
          ["id": "next", "kind": "button", "text": "Next", "does": "submit"],
          [
            "id": "back", "kind": "button", "text": "Back", "does": "reset",
            "visibility": visibility(2),
          ],
        ],
      ]
    ])
  }

  mutating func submit(as id: Text) {
    guard let right = fields.judge() else { return }
    if step == 1 { show(step: 2) } else { answers = right }
  }

  mutating func reset() { show(step: 1) }

  private mutating func show(step: Int) {
    self.step = step
    replace(Self.outline(step: step))
  }
}

@Suite("A form in steps")
struct FormStepsTests {
  @Test("checks the fields of each step, and submits those of all that are filled in")
  func steps() throws {
    var order = Order()
    let first: Set<ResourceID> = ["name", "note", "gift", "next"]
    try order.didTap("next", as: "1")
    #expect(order.fields.visible == first)
    try order.didChange("name", "Ada")
    try order.didTap("next", as: "2")
    #expect(order.fields.visible == ["street", "next", "back"])
    try order.didTap("next", as: "3")
    #expect(order.answers == nil)
    try order.didChange("street", "Main St")
    try order.didTap("back", as: "4")
    #expect(order.fields.visible == first)
    try order.didTap("next", as: "5")
    try order.didTap("next", as: "6")
    #expect(order.answers == ["name": "Ada", "street": "Main St"])
  }

  @Test("submits a value of another step although the screen has refused it")
  func refused() throws {
    var order = Order()
    try order.didChange("name", "Ada")
    try order.didTap("next", as: "1")
    order.fields.refuse("name", FieldError("taken", en: "Taken."))
    try order.didChange("street", "Main St")
    try order.didTap("next", as: "2")
    #expect(order.answers?["name"] == "Ada")
    try order.didTap("back", as: "3")
    #expect(order.fields.judge() == nil)
  }
}
