import CanonicalJSON
import ViewDeltaServer
import ViewState

extension CatalogFeature {
  /// The fragments of the OpenAPI document.
  static var documents: [JSONValue] {
    let item = CatalogItem(id: "knots", title: "The Book of Knots", detail: "Paperback")
    var feature = item
    feature.type = .feature
    let operation = """
      A change of a catalog, by the name of the operation on a snapshot of a diffable data source. A \
      command `apply` carries up to \(CatalogBatch.mostOperations) of them, with at most \
      \(CatalogBatch.mostElements) sections, items and ids, applied in their order, whole or not at all, as \
      at most one revision. Unknown anchors and ids that would not be unique are \
      refused, naming the ids; `pointer` leads to the member.
      """
    let catalogs = catalogs(with: item)
    return [
      DemoDocument.naming(
        schemas,
        in: catalogs.fragment.mergePatched(with: [
          "components": ["schemas": ["CatalogOperation": ["description": .string(operation)]]]
        ])),
      DemoDocument.examples([item.row(in: .en), feature.row(in: .en)]),
    ] + CatalogQueryEndpoints.documents(of: catalogs, item)
  }

  /// The schemas in bodies and commands, by the names of their components.
  private static var schemas: [Text: JSONValue] {
    let schemas: [Text: JSONValue] = [
      "CatalogItem": CatalogItem.schema,
      "CatalogOperation": CatalogOperation.valueType.schema,
      "CatalogItemInput": ValueType<CatalogItem>.element.inputSchema,
      "CatalogItemPatch": CatalogItemPatch.valueType.schema,
      "CatalogSection": CatalogSection.schema,
      "CatalogSectionInput": ValueType<CatalogSection>.element.inputSchema,
    ]
    let operations = DemoDocument.alternatives(
      of: CatalogOperation.valueType.schema,
      CatalogOperation.names.map { "Catalog\($0.capitalized)Operation" })
    return schemas.merging(operations) { $1 }
  }

  private static func catalogs(with item: CatalogItem) -> ResourceDocument {
    let limits = CatalogLimits()
    let books = CatalogSection(id: "books", title: "Books", items: [item])
    var document = ResourceDocument(
      path: "/v1/catalogs", [ResourceDocument.Noun("catalog", id: 3)], tag: "Catalogs",
      of: Catalog.self, example: ["id": 3, "sections": [books.json]], change: ["sections": []],
      notes: [
        .list: "In the order in which they were created, each without its sections.",
        .create:
          "The store takes \(limits.catalogs.grouped) catalogs with \(limits.items.grouped) sections and items "
          + "in all, and a catalog \(limits.sectionsPerCatalog.grouped) sections and "
          + "\(limits.itemsPerCatalog.grouped) items.",
        .replace: "Clients of the screen get what changed, row by row.",
      ])
    document.input = document.input?.mergePatched(with: [
      "description": """
      A catalog in a body; without `sections` it has none. The ids of sections, and those of items, are \
      unique in the catalog. Unknown members are refused.
      """
    ])
    document.element = .reference(toSchema: "CatalogSummary")
    return document
  }
}
