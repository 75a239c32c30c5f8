import CanonicalJSON
import ViewDeltaServer
import ViewState

extension FormFeature {
  /// The fragments of the OpenAPI document.
  static let documents: [JSONValue] = [
    schemas, companies.fragment,
    DemoDocument.naming(
      DemoDocument.operations(of: "Form", FormOperation.names, FormOperation.valueType.schema)
        .merging([
          "FormSection": FormSection.valueType.schema, "FormEntry": ActivityEntry.schema,
          "FormEntryInput": ActivityEntry.inputSchema,
        ]) { $1 },
      and: [
        "FormRow": FormRow.reference, "ResourceID": ValueType<ResourceID>.described.schema,
      ],
      in: forms.fragment.mergePatched(with: entries.fragment).mergePatched(with: descriptions)),
  ]

  private static let descriptions: JSONValue = [
    "components": [
      "schemas": [
        "FormSection": ["description": "A section of a form."],
        "FormOperation": [
          "description": """
          A change of the rows of a form on its screen; the description of the form stays. A command \
          `apply` carries up to 200 operations with at most 200 rows, applied in their order, whole or \
          not at all, as at most one revision. Unknown ids, and ids that would not be unique, are \
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
    ]
  ]

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
        + "The store takes 500 forms and, with all entries, 64 MiB; a form has at most 50 sections, 200 "
        + "rows and 256 KiB.",
      .replace:
        "The screen of the form shows it in the same step. Rows whose id and kind are still there keep "
        + "the values that were entered, which the new rules check. The changes of users to the order of "
        + "rows are lost.",
      .delete: "Deletes its entries and the screen `form`, too.",
    ])

  private static let entries = ResourceDocument(
    path: "/v1/forms/{id}/entries",
    [form, ResourceDocument.Noun("entry", plural: "entries", parameter: "entryID", id: 57)],
    tag: "Forms", schema: OpenAPIDocument.reference("FormEntry"),
    input: OpenAPIDocument.reference("FormEntryInput"),
    example: ["id": 57, "date": "2026-03-02T08:15:00Z", "text": "Milena Okafor joined"],
    change: ["text": "Milena Okafor left"],
    summaries: [
      .list: "The activity of a form", .create: "Add an entry", .get: "An entry of a form",
    ],
    notes: [
      .list: "The newest first.",
      .create:
        "Ids of entries are unique among those of one form. Submitting a form adds such an entry, with "
        + "the `answers`.\n\nA form has at most 10,000 entries.",
    ])

  private static let companies = ResourceDocument(
    path: "/v1/companies",
    [ResourceDocument.Noun("company", plural: "companies", id: 1)], tag: "Forms", of: Company.self,
    example: [
      "id": 1, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH", "city": "Jena",
    ],
    change: ["city": "Apolda"],
    summaries: [.list: "The firms that forms look up", .create: "Add a company"],
    notes: [
      .create:
        "Several companies may have one tax number.\n\nThe registry takes 10,000 companies.",
      .replace:
        "A form that has found the company shows it unchanged until the number is looked up again.",
    ])
}
