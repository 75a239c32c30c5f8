import CanonicalJSON
import HTTPTypes

/// The items of a catalog with others below them, as tests write and see them.
enum CatalogOutline {
  static let viewModel = "/v1/view-models/catalog/1"
  static let catalog = "/v1/catalogs/1"

  static func apply(_ operations: JSONValue..., to backend: Backend) async -> Answer {
    await backend.call(
      .post, viewModel + "/commands", body: ["type": "apply", "operations": .array(operations)])
  }

  static func item(_ id: Text, _ children: JSONValue...) -> JSONValue {
    let item: JSONValue = ["id": .string(id), "title": .string(id)]
    return children.isEmpty ? item : item.mergePatched(with: ["children": .array(children)])
  }

  /// The rows, such as `a- b+ c2`: with `-` if it is collapsed, `+` if it is expanded, and the level.
  static func shown(_ backend: Backend) async throws -> String {
    var words: [String] = []
    for section in try await backend.get(viewModel).json.member("sections").elements() {
      for row in try section.member("rows").elements() {
        let mark = try row.optionalMember("isExpanded").map { try $0.bool() ? "+" : "-" } ?? ""
        let level = try row.optionalMember("level").map { try "\($0.integer())" } ?? ""
        words.append(try row.member("id").string().string + mark + level)
      }
      words.append("|")
    }
    return words.joined(separator: " ")
  }

  static func rows(_ backend: Backend) async throws -> [JSONReader] {
    try await backend.get(viewModel).rows
  }

  static func state(_ backend: Backend) async throws -> Text {
    try await backend.get(viewModel).json.member("states").member("children").string()
  }

  static func fold(_ name: Text, _ ids: Text...) -> JSONValue {
    ["operation": .string(name), "ids": .array(ids.map { .string($0) })]
  }
}
