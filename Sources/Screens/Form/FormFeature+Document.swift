import CanonicalJSON
import Forms
import Snapshots
import ViewDeltaServer
import ViewState

extension FormFeature {
  /// Returns the fragments of the OpenAPI document.
  ///
  /// - Parameter form: The form whose rows are the examples; `nil` for no examples.
  static func documents(of screen: FormScreen, _ form: Form?) throws -> [JSONValue] {
    var fragments = [resources, commands, companies.fragment]
    if let form { fragments.append(try examples(of: screen, form)) }
    return fragments
  }

  /// The part of the OpenAPI document about the store, which is the same in each application.
  private static let resources: JSONValue = {
    let kinds = FormScreen.Kinds.kinds
    return DemoDocument.naming(
      kinds.schemas.merging([
        "FormEntry": ActivityEntry.schema, "FormEntryInput": ActivityEntry.inputSchema,
      ]) { $1 },
      and: kinds.references,
      in: forms.fragment.mergePatched(with: entries.fragment).mergePatched(with: descriptions))
  }()

  /// Returns examples of the rows: those of a form that a user has sent empty.
  private static func examples(of screen: FormScreen, _ form: Form) throws -> JSONValue {
    var state = FormScreen.State(form: form, language: screen.language ?? .en)
    state.submit(as: "")
    let sections = try screen.snapshot(of: state).sections
    let own: Set<Text> = ["submission", "activity"]
    return DemoDocument.examples(
      sections.filter { !own.contains($0.id) }.flatMap { Array($0.rows) })
  }

  private static let descriptions: JSONValue = [
    "tags": [["name": "Forms", "description": .string(about)]],
    "components": [
      "schemas": [
        "FormRow": [
          "description": """
          The description of a row of a form, by its `kind`.

          A row that is always `hidden`, itself or with the group around it, is submitted with the \
          answers if it has a value, such as a `default`, like the hidden inputs of HTML; a row that is \
          hidden only while another row has some value is not.

          Rules have names; there are no patterns, because a pattern could keep the server busy.
          """,
          "examples": [
            [
              "id": "email", "kind": "text", "label": "E-mail", "required": true,
              "inputType": "email",
            ]
          ],
        ],
        "FormSection": ["description": "A section of a form."],
        "FormOption": ["description": "One of the values of a choice."],
        "FormOperation": [
          "description": """
          A change of the rows of a form on its screen; the description of the form stays. A command \
          `apply` carries up to \(FormOperation.mostInCommand) operations with at most \
          \(FormOutline.mostRows) rows, applied in their order, whole or not at all, as at most one \
          revision. Unknown ids, and ids that would not be unique, are \
          refused; `pointer` leads to the member.

          Lists stay in the order of their weights. Rows that are appended go after all rows that are \
          not heavier. Rows with a given place must not have a weight: they take the weight of their \
          neighbour, of the first or last row, or of the row that they replace.
          """,
          "examples": [
            [
              "operation": "insertAfter", "row": "email",
              "rows": [["id": "greeting", "kind": "text", "label": "Greeting"]],
            ]
          ],
        ],
      ]
    ],
  ]

  /// What the API document says of commands beside the code.
  private static let commands: JSONValue = [
    "components": [
      "schemas": [
        "FormDidChangeCommand": [
          "description": """
          Enters a value. A text that is wrong or too long for the field is kept, followed by a \
          `fieldError`; only a text of more than \(InputField.mostBytes.grouped) bytes is refused, \
          which is twice the largest valid size. An event of a row that is not shown, or that has no such \
          event, is a 422.
          """,
          "examples": [["type": "didChange", "row": "phone", "value": "030 901820"]],
        ],
        "FormDidSelectCommand": ["examples": [["type": "didSelect", "row": "tools"]]],
        // The components, in place of the schemas that `GET /v1/view-models` has within the command.
        "FormApplyCommand": [
          "properties": [
            "operations": [
              "description": nil, "$defs": nil,
              "items": ["$ref": "#/components/schemas/FormOperation", "oneOf": nil],
            ]
          ]
        ],
      ]
    ]
  ]

  private static let about = """
    The store behind the screens `form`: the descriptions of forms, the activity of each form, and a \
    registry of companies by tax numbers. The values that users enter are not part of a form: commands send \
    them to the screen, and a form that is submitted becomes an entry of its activity.

    The screen `form` has a section `form` with a `formTitle`; the sections of the form with their own \
    ids, in which the row for the field `phone` has the id `phone`, and is followed by its own rows, whose \
    ids begin with `phone/`; a section `submission` with at most one row, for the state of the submission; \
    and a section `activity`: a `contentHeader`, an `activityEntry` for each entry that is loaded, the \
    newest first, and then a `pageProgress` (a page is loading, or there are more), a `pageEnd`, a \
    `contentEmpty` or a `contentError`. A section of the form whose rows are all hidden is left out.

    A row that can be edited has `input`, `value` and `change`: show it by the type of its `input`, and to \
    enter a value send the `change.command` with the new value as the member that `change.argument` names. \
    The value of a `checkbox` is a boolean, that of a `select` the id of an option or null, and all others \
    are texts. A number (`inputType` in the description of the row) is entered as a text too, and submitted \
    as a number. What is empty is submitted as null, but a text without an `inputType` as an empty text, and \
    a `checkbox` as false. A correct value comes back formatted; a wrong one comes back as it was entered, \
    followed by a `fieldError`. `depth` is the number of groups around a row; it is absent if there are none.
    """

  private static let limits = ActivityEntry.limits

  private static let form = ResourceDocument.Noun("form", id: 2)

  private static let forms = ResourceDocument(
    path: "/v1/forms", [form], tag: "Forms", of: Form.self,
    example: [
      "id": 2, "title": "Letter from the farm",
      "sections": [
        [
          "id": "letter",
          "rows": [
            [
              "id": "email", "kind": "text", "label": "E-mail", "required": true,
              "inputType": "email",
            ],
            ["id": "subscribe", "kind": "button", "text": "Subscribe", "does": "submit"],
          ],
        ]
      ],
    ],
    change: ["title": "News from the farm"],
    summaries: [.delete: "Delete a form with its entries"],
    notes: [
      .list: "In the order in which they were created.",
      .create:
        "Rows are in the order of their weights, and rows of equal weight in the order of the body.\n\n"
        + "The store takes \(limits.count) forms and, with all entries, \(limits.byteCount.size); a form "
        + "has at most \(FormOutline.mostSections) sections, \(FormOutline.mostRows) rows and "
        + "\(FormOutline.mostBytes.size).",
      .replace:
        "The screen of the form shows it in the same step. Rows whose id and kind are still there keep "
        + "the values that were entered, which the new rules check. If the sections are others, the changes "
        + "of users to the order of rows are lost.",
      .delete: "Deletes its entries and the screen `form`, too.",
    ])

  private static let entries = ResourceDocument(
    path: "/v1/forms/{id}/entries",
    [form, ResourceDocument.Noun("entry", plural: "entries", parameter: "entryID", id: 57)],
    tag: "Forms", schema: .reference(toSchema: "FormEntry"),
    input: .reference(toSchema: "FormEntryInput"),
    example: ["id": 57, "date": "2026-03-02T08:15:00Z", "text": "Milena Okafor joined"],
    change: ["text": "Milena Okafor left"],
    summaries: [
      .list: "The activity of a form", .create: "Add an entry", .get: "An entry of a form",
    ],
    notes: [
      .list: "The newest first.",
      .create:
        "Ids of entries are unique among those of one form. Submitting a form adds such an entry, with "
        + "the `answers`.\n\nA form has at most \(limits.childCount.grouped) entries, and all forms "
        + "together \(limits.totalChildCount.grouped).",
    ])

  private static let companies = ResourceDocument(
    path: "/v1/companies",
    [ResourceDocument.Noun("company", plural: "companies", id: 1)], tag: "Forms", of: Company.self,
    example: [
      "id": 1, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH", "city": "Jena",
    ],
    change: ["city": "Apolda"],
    summaries: [.list: "The companies that forms look up", .create: "Add a company"],
    notes: [
      .create:
        "Several companies may have one tax number.\n\nThe registry takes "
        + "\(CompanyData().limits.count.grouped) companies.",
      .replace:
        "A form that has found the company shows the change in the same step.",
    ])
}
