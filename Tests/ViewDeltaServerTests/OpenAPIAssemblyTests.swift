import CanonicalJSON
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

@Suite("The OpenAPI document of an application")
struct OpenAPIAssemblyTests {
  /// A base as small as possible.
  private static let base: JSONValue = [
    "openapi": "3.1.0",
    "paths": ["/v1/view-models": ["get": ["operationId": "listScreens"]]],
    "components": [
      "schemas": [
        "Command": ["type": "object"], "Row": ["type": "object"], "Date": ["type": "string"],
        "Action": ["properties": ["command": ["$ref": "#/components/schemas/Command"]]],
        "SourceName": ["type": "string"],
        "ProblemDetails": ["description": "All:\n\n{problems}\n"],
      ],
      "parameters": ["screen": ["description": "Its name."]],
    ],
    "problems": ["404": ["not-found": "Nothing is here."]],
  ]

  /// A document of screens and fragments on the base.
  private static func assembled(
    _ screens: [ScreenDescriptor] = [], _ fragments: JSONValue...
  ) throws -> (document: ViewDeltaServer.OpenAPIDocument, json: JSONValue) {
    let document = try ViewDeltaServer.OpenAPIDocument(
      base: Self.base, screens: screens, fragments: fragments)
    return (document, try JSONValue(parsing: document.canonicalBytes()))
  }

  private static func screen(_ name: Text, row: JSONValue) -> ScreenDescriptor {
    let item: JSONValue = ["type": "array", "items": ["$ref": "#/properties/items/$defs/item"]]
    return ScreenDescriptor(
      name: name, keyName: "list", summary: "What to buy.",
      commands: [
        CommandDescriptor(
          type: "add-all", summary: "Adds.",
          arguments: [
            "items": item.mergePatched(with: ["$defs": ["item": ["type": "string"]]])
          ], required: ["items"])
      ], sources: ["prices"],
      rowTypes: [RowTypeDescriptor(name: "item", summary: "Something to buy.", schema: row)])
  }

  private static let row: JSONValue = [
    "properties": ["due": ["$ref": "#/components/schemas/Date"]]
  ]

  @Test("knows the commands, rows, sources and keys of a screen by its descriptor alone")
  func stranger() throws {
    let json = try Self.assembled([Self.screen("groceries", row: Self.row)]).json
    let schemas = try #require(json["components"]?["schemas"])
    let command = try #require(schemas["GroceriesAddAllCommand"])
    #expect(command["description"]?.text == "Adds." && command["required"] == ["type", "items"])
    let place = "#/components/schemas/GroceriesAddAllCommand"
    #expect(
      command["properties"]?["items"]?["items"]?["$ref"]?.text
        == place + "/properties/items/$defs/item")
    #expect(schemas["Command"]?["anyOf"] == [["$ref": .string(place)]])
    #expect(schemas["ItemRow"]?["properties"] == Self.row["properties"])
    #expect(schemas["Row"]?["oneOf"] == [["$ref": "#/components/schemas/ItemRow"]])
    #expect(
      schemas["Row"]?["discriminator"]?["mapping"] == ["item": "#/components/schemas/ItemRow"])
    #expect(schemas["SourceName"]?["enum"] == ["prices"])
    let names = try #require(json["components"]?["parameters"]?["screen"]?["description"]?.text)
    #expect(names.contains("| `groceries` | `list` | What to buy. |"))
  }

  @Test("has the union of what two screens mean by one type of rows")
  func sharedName() throws {
    let other: JSONValue = ["properties": ["price": ["type": "number"]]]
    let schemas = try #require(
      Self.assembled([
        Self.screen("groceries", row: Self.row), Self.screen("sales", row: other),
        Self.screen("copies", row: Self.row),
      ]).json["components"]?["schemas"])
    #expect(
      schemas["ItemRow"]?["anyOf"] == [
        ["$ref": "#/components/schemas/GroceriesItemRow"],
        ["$ref": "#/components/schemas/SalesItemRow"],
      ])
    #expect(schemas["SalesItemRow"]?["properties"] == other["properties"])
    #expect(schemas["Row"]?["oneOf"] == [["$ref": "#/components/schemas/ItemRow"]])
  }

  @Test("takes from fragments paths, components, problems, and more on what there is")
  func fragments() throws {
    let add: JSONValue = ["examples": [["type": "add-all", "items": []]]]
    let fragment: JSONValue = [
      "tags": [["name": "Prices"]],
      "paths": [
        "/v1/prices": ["get": ["operationId": "listPrices"]],
        "/v1/view-models": ["get": ["summary": "The screens"]],
      ],
      "components": ["schemas": ["Price": ["type": "number"], "GroceriesAddAllCommand": add]],
      "problems": ["404": ["unknown-price": "There is no such price."]],
    ]
    let same: JSONValue = ["components": ["schemas": ["Price": ["type": "number"]]]]
    let json = try Self.assembled([Self.screen("groceries", row: Self.row)], fragment, same).json
    #expect(json["paths"]?["/v1/prices"]?["get"]?["operationId"] == "listPrices")
    #expect(
      json["paths"]?["/v1/view-models"]?["get"]
        == ["operationId": "listScreens", "summary": "The screens"])
    let schemas = try #require(json["components"]?["schemas"])
    #expect(schemas["GroceriesAddAllCommand"]?["examples"] == add["examples"])
    #expect(schemas["GroceriesAddAllCommand"]?["description"] == "Adds.")
    #expect(
      schemas["ProblemDetails"]?["description"]?.text
        == "All:\n\n| code | status | when |\n|---|---|---|\n| `not-found` | 404 | Nothing is here. |\n"
        + "| `unknown-price` | 404 | There is no such price. |\n")
  }

  @Test("gives a schema with all that it refers to, and no commands of other screens")
  func standalone() throws {
    let screen = Self.screen("groceries", row: Self.row)
    let document = try Self.assembled([screen]).document
    let schema: JSONValue = [
      "properties": ["action": ["$ref": "#/components/schemas/Action"]], "$defs": ["own": true],
    ]
    let alone = try document.standalone(schema, commands: screen.commands)
    #expect(alone["properties"]?["action"]?["$ref"] == "#/$defs/Action")
    #expect(alone["$defs"]?["own"] == true)
    #expect(
      alone["$defs"]?["Action"]?["properties"]?["command"]?["$ref"] == "#/$defs/Command")
    #expect(alone["$defs"]?["Command"]?["properties"]?["type"]?["enum"] == ["add-all"])
    let date = try document.standalone(["$ref": "#/components/schemas/Date"], commands: [])
    #expect(date == ["type": "string"])
  }

  @Test("is refused with the place if features contradict each other or the base")
  func contradictions() {
    func refusal(_ fragments: JSONValue...) -> String? {
      do {
        _ = try ViewDeltaServer.OpenAPIDocument(
          base: Self.base, screens: [Self.screen("groceries", row: Self.row)],
          fragments: fragments)
        return nil
      } catch {
        return "\(error)"
      }
    }
    let path: JSONValue = ["paths": ["/v1/prices": ["get": ["operationId": "listPrices"]]]]
    #expect(
      refusal(
        ["components": ["schemas": ["Price": ["type": "number"]]]],
        ["components": ["schemas": ["Price": ["type": "string"]]]])
        == "the OpenAPI document is invalid at /components/schemas/Price: "
        + "two features define this component differently")
    #expect(
      refusal(path, path)
        == "the OpenAPI document is invalid at /paths//v1/prices: two features describe this path")
    #expect(
      refusal(path, ["paths": ["/v1/sales": ["get": ["operationId": "listPrices"]]]])
        == "the OpenAPI document is invalid at /paths//v1/sales: "
        + "/v1/prices has an operation with the same id, \"listPrices\"")
    #expect(
      refusal(["components": ["schemas": ["Date": ["type": "number"]]]])
        == "the OpenAPI document is invalid at /components/schemas/Date/type: "
        + "there are two values, \"string\" and \"number\"")
    #expect(
      refusal(["problems": ["409": ["not-found": "Twice."]]])
        == "the OpenAPI document is invalid at /problems/409/not-found: "
        + "the problem has another status, too")
    #expect(
      refusal(["components": ["schemas": []]])
        == "the OpenAPI document is invalid at /components/schemas: expected an object")
    #expect(
      refusal(["tags": [[:]]])
        == "the OpenAPI document is invalid at /tags: a tag has no name")
    #expect(
      refusal(["webhooks": [:]])
        == "the OpenAPI document is invalid at /webhooks: "
        + "a feature must not add a member of this name")
    #expect(refusal(path) == nil)
  }

  @Test("is refused if a resource has the name of a component of the server")
  func resourceNamedAsTheServers() {
    struct Incidents: Feature {
      func register(in application: inout ApplicationBuilder) {
        let incidents = Store(
          "incidents", ResourceCollection<Note>("incident"), in: application.engine)
        application.add(collection: incidents, at: "/v1/incidents")
      }
    }
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    #expect(
      throws: ApplicationError.invalidDocument(
        place: "/components/schemas/Incident",
        reason: "the server has a component of this name: give the resource another noun")
    ) {
      _ = try Application(ApplicationConfiguration(environment: environment)) { Incidents() }
    }
  }

  @Test("is refused if a schema refers to a component that does not exist")
  func missingComponent() throws {
    let document = try Self.assembled().document
    #expect(
      throws: ApplicationError.invalidDocument(
        place: "/components/schemas/Nothing",
        reason: "a schema refers to this component, which does not exist")
    ) {
      try document.standalone(["$ref": "#/components/schemas/Nothing"], commands: [])
    }
  }

  @Test("is refused by an application whose features define one component differently")
  func application() throws {
    struct Documented: Feature {
      let type: JSONValue

      func register(in application: inout ApplicationBuilder) {
        application.document(["components": ["schemas": ["Price": ["type": type]]]])
      }
    }
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    #expect(
      throws: ApplicationError.invalidDocument(
        place: "/components/schemas/Price",
        reason: "two features define this component differently")
    ) {
      _ = try Application(ApplicationConfiguration(environment: environment)) {
        Documented(type: "number")
        Documented(type: "string")
      }
    }
  }

  @Test("has the operations of a collection by its path, its nouns and its schema")
  func collection() async throws {
    let book: JSONValue = ["type": "object", "properties": ["title": ["type": "string"]]]
    let shelf = ResourceDocument.Noun("book shelf", plural: "book shelves", id: 7)
    let document = ResourceDocument(
      path: "/v1/shelves/{id}/books", [shelf, .init("entry", parameter: "book", id: "b")],
      tag: "Books", schema: book, example: ["id": "b", "title": "Knots"])
    let json = try Self.assembled([], document.fragment).json
    let list = try #require(json["paths"]?["/v1/shelves/{id}/books"])
    let entry = try #require(json["paths"]?["/v1/shelves/{id}/books/{book}"])
    #expect(Set(list.members.keys) == ["get", "parameters", "post"])
    #expect(Set(entry.members.keys) == ["delete", "get", "parameters", "patch", "put"])
    #expect(list["post"]?["operationId"] == "createEntry")
    #expect(list["post"]?["summary"] == "Create an entry")
    #expect(entry["parameters"]?.elements.map { $0["name"] } == ["id", "book"])
    let body = entry["put"]?["requestBody"]?["content"]?["application/json"]
    #expect(body?["schema"]?["$ref"] == "#/components/schemas/Entry")
    #expect(body?["examples"]?["entry"]?["value"] == ["title": "Knots"])
    let components = try #require(json["components"])
    #expect(components["schemas"]?["Entry"] == book)
    let missing = components["responses"]?["EntryNotFound"]?["content"]?["application/problem+json"]
    let problem = missing?["examples"]?["unknown-entry"]?["value"]
    #expect(problem?["detail"] == "the book shelf has no entry of this id")
    #expect(problem?["instance"] == "/v1/shelves/7/books/99")
    #expect(components["responses"]?["BookShelfNotFound"] != nil)
    #expect(json["tags"] == [["name": "Books"]])
  }
}
