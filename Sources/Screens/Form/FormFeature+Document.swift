import CanonicalJSON
import ViewDeltaServer

extension FormFeature {
  /// What the feature adds to the OpenAPI document.
  static let documents: [JSONValue] =
    [
      schemas, forms.fragment, entries.fragment,
      companies.fragment,
    ]

  private static let form = ResourceDocument.Noun("form", id: 2)

  private static let forms = ResourceDocument(
    path: "/v1/forms", [form], tag: "Forms", schema: OpenAPIDocument.reference("Form"),
    input: OpenAPIDocument.reference("FormInput"),
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
      .list: "In the order in which they were written.",
      .create:
        "Rows come in the order of their weights, and those of one weight in the order in which they "
        + "were written.\n\nThe store takes 500 forms and, with all entries, 64 MiB; a form has at most "
        + "50 sections, 200 rows and 256 KiB.",
      .replace:
        "The screen of the form shows it in the same step: what was entered stays in rows whose id and "
        + "kind are still there, and is judged by the new rules; how users had arranged the rows does "
        + "not.",
      .delete: "Its entries and the screen `form` are gone with it.",
    ])

  private static let entries = ResourceDocument(
    path: "/v1/forms/{id}/entries",
    [form, ResourceDocument.Noun("entry", plural: "entries", parameter: "entryID", id: 57)],
    tag: "Forms", schema: OpenAPIDocument.reference("FormEntry"),
    input: OpenAPIDocument.reference("FormEntryInput"),
    example: ["id": 57, "date": "2026-03-02T08:15:00Z", "text": "Milena Okafor joined"],
    change: ["text": "Milena Okafor left"],
    summaries: [
      .list: "What has happened with a form", .create: "Add an entry", .get: "An entry of a form",
    ],
    notes: [
      .list: "The newest first.",
      .create:
        "Ids of entries are unique among those of one form. Sending a form leaves such an entry, with "
        + "the `answers`.\n\nA form has at most 10,000 entries.",
    ])

  private static let companies = ResourceDocument(
    path: "/v1/companies",
    [ResourceDocument.Noun("company", plural: "companies", id: 1)], tag: "Forms",
    schema: OpenAPIDocument.reference("Company"),
    input: OpenAPIDocument.reference("CompanyInput"),
    example: [
      "id": 1, "taxNumber": "DE136695976", "name": "Kornblume Mühle GmbH", "city": "Jena",
    ],
    change: ["city": "Apolda"],
    summaries: [.list: "The firms that forms look up", .create: "Add a company"],
    notes: [
      .create:
        "Several companies may have one tax number.\n\nThe registry takes 10,000 companies.",
      .replace:
        "A form that has found the company shows what it found until it looks the number up "
        + "again.",
    ])
}
