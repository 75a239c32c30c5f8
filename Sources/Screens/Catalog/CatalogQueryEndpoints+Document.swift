import CanonicalJSON
import ViewDeltaServer
import ViewState

extension CatalogQueryEndpoints {
  /// Returns the fragments of the OpenAPI document.
  ///
  /// - Parameter item: The only item of the example of a catalog.
  static func documents(of catalogs: ResourceDocument, _ item: CatalogItem) -> [JSONValue] {
    let tag = " The entity tag is that of the catalog."
    let section = ResourceDocument.Noun("section", parameter: "sectionID", id: "books")
    let noun = ResourceDocument.Noun("item", parameter: "itemID", id: item.id.json)
    let outline = Outline(
      items: [.init(id: item.id.text, isExpanded: nil, isVisible: true, level: 0, parent: nil)],
      numberOfItems: 1)
    let missing = ["catalog", "section", "item"].map {
      MissingElement($0, of: $0 == "catalog" ? nil : "catalog").problem
    }
    return [
      about,
      catalogs.query(
        "sections", as: "CatalogSections",
        Sections(numberOfItems: 1, numberOfSections: 1, sectionIdentifiers: ["books"]),
        "The sections of a catalog",
        "The number and the ids of the sections, in order, and the number of all shown items." + tag
      ),
      catalogs.query(
        "sections/{sectionID}", section, as: "CatalogSection",
        SectionPlace(
          id: "books", index: 0, itemIdentifiers: [item.id.text], numberOfItems: 1, title: "Books"),
        component: "CatalogSectionPlace", "A section of a catalog",
        "Its index, and the number and the ids of its shown items, in order." + tag,
        missing: "CatalogPartNotFound"),
      catalogs.query(
        "items", as: "CatalogItems", Items(itemIdentifiers: [item.id.text], numberOfItems: 1),
        "The items of a catalog",
        "The number and the ids of all shown items, in order. An item is shown if all items above it are "
          + "expanded." + tag),
      catalogs.query(
        "sections/{sectionID}/outline", section, as: "CatalogOutline", outline,
        "The outline of a section",
        "All its items, with the hidden ones, each before those below it." + tag,
        missing: "CatalogPartNotFound"),
      catalogs.query(
        "items/{itemID}/outline", noun, as: "CatalogItemOutline",
        Outline(items: [], numberOfItems: 0), component: "CatalogItemOutline",
        "The items below an item",
        "All of them, with the hidden ones, each before those below it. Levels count from the "
          + "section." + tag,
        missing: "CatalogPartNotFound"),
      catalogs.query(
        "items/{itemID}", noun, as: "CatalogItem",
        ItemPlace(
          id: item.id.text, index: 0, indexInSection: 0, isExpanded: nil, isVisible: true,
          item: item.json, level: 0, parent: nil, section: "books"),
        component: "CatalogItemPlace", "An item of a catalog",
        "Its content, the section and the item that it is in, its level, and its index in the section and "
          + "among all items, if it is shown. Rows of loads do not count." + tag, isPaged: false,
        missing: "CatalogPartNotFound"
      ),
      [
        "components": [
          "responses": [
            "CatalogPartNotFound": ResourceDocument.reply(
              of: Array(
                zip(
                  missing, ["99", "3/sections/gone", "3/items/gone"].map { "/v1/catalogs/\($0)" })
              ))
          ]
        ]
      ],
      ResourceDocument.conditions(of: Array(missing.dropFirst())),
    ]
  }

  /// The schema of the operations of a command, as a reference to their component.
  private static let operations: JSONValue = [
    "properties": [
      "operations": [
        "description": nil,
        "items": ["$ref": "#/components/schemas/CatalogOperation", "oneOf": nil],
      ]
    ]
  ]

  private static let row: JSONValue = [
    "properties": ["action": ["properties": ["command": operations]]]
  ]

  /// The description of the screen, its rows and its command.
  private static let about: JSONValue = [
    "tags": [
      [
        "name": "Catalogs",
        "description": """
        The store behind the screens `catalog`: sections of items, found by their ids. Single changes are \
        commands of the screen; the questions here spare a client the whole catalog.

        The screen `catalog` has the sections and items of the catalog under their own ids, each item a \
        `catalogItem` or `catalogFeature`. Items can have `children`: items below them, which are shown while \
        all items above them are expanded. Such rows have a `level` and, if there are items below, \
        `isExpanded`; their action expands or collapses them. An item that is collapsed hides all items below, \
        and shows them as they were when it is expanded again. The queries count and list the items that are \
        shown, but for the outlines.
        """,
      ]
    ],
    "components": [
      "schemas": [
        "CatalogItemRow": row, "CatalogFeatureRow": row,
        "CatalogSummary": CatalogSummary.valueType.schema.mergePatched(with: [
          "additionalProperties": nil,
          "description": "A catalog in the list of all. Its items that are hidden count, too.",
          "examples": [["id": 3, "numberOfItems": 1, "numberOfSections": 1]],
        ]),
        "CatalogApplyCommand": operations.mergePatched(with: [
          "examples": [
            [
              "type": "apply",
              "operations": [
                [
                  "operation": "insertItems",
                  "items": [["id": "ferns", "title": "Ferns and Mosses"]], "after": "knots",
                ], ["operation": "deleteItems", "ids": ["gone"]],
              ],
            ]
          ]
        ]),
        "CommandReply": [
          "properties": [
            "details": [
              "properties": [
                "ignored": ValueType<Int>.count.described(
                  """
                  Of `apply` on the screen `catalog`: the number of ids that it could not delete because \
                  they are not there.
                  """
                ).schema
              ]
            ]
          ]
        ],
      ]
    ],
  ]
}
