import CanonicalJSON
import ViewDeltaServer

extension CatalogFeature {
  /// What the feature adds to the OpenAPI document.
  static let documents: [JSONValue] = {
    // All catalogs together have a limit, so that a change can be one too many.
    let conflict: JSONValue = [
      "responses": ["409": ["$ref": "#/components/responses/CatalogConflict"]]
    ]
    return [
      DemoDocument.catalog,
      catalogs.fragment.mergePatched(with: [
        "paths": ["/v1/catalogs/{id}": ["put": conflict, "patch": conflict]]
      ]),
    ]
  }()

  private static let catalogs = ResourceDocument(
    path: "/v1/catalogs", [ResourceDocument.Noun("catalog", id: 3)], tag: "Catalogs",
    schema: OpenAPIDocument.reference("Catalog"),
    input: OpenAPIDocument.reference("CatalogInput"),
    element: OpenAPIDocument.reference("CatalogSummary"),
    example: [
      "id": 3,
      "sections": [
        [
          "id": "books", "title": "Books",
          "items": [
            [
              "id": "knots", "type": "catalogItem", "title": "The Book of Knots",
              "detail": "Paperback",
            ]
          ],
        ]
      ],
    ],
    change: ["sections": []],
    notes: [
      .list: "In the order in which they were created, each without its sections.",
      .create:
        "The store takes 1,000 catalogs with 100,000 items in all, and a catalog 1,000 sections and "
        + "10,000 items.",
      .replace: "Clients of the screen get what changed, row by row.",
    ])
}
