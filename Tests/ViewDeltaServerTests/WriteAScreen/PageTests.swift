import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Testing
import ViewDeltaClient
import ViewDeltaServer

/// A page of the documentation.
struct Page {
  /// The code in its Swift blocks.
  let blocks: [String]

  init(_ name: String) throws {
    let page = try Self.text("Sources/ViewDelta/ViewDelta.docc/\(name).md")
    blocks = page.components(separatedBy: "```swift\n").dropFirst().map { part in
      part.components(separatedBy: "\n```")[0]
    }
  }

  private static let root = URL(filePath: #filePath).appending(path: "../../../..")
    .standardizedFileURL

  /// The lines of code in the documentation of the declarations of a file: those of the block with a marker, without
  /// the spaces around them.
  static func comment(in path: String, with marker: String) throws -> [String] {
    let lines = try text(path).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let comments = lines.filter { $0.hasPrefix("///") }.map {
      String($0.dropFirst(3)).trimmingCharacters(in: .whitespaces)
    }
    let blocks = comments.joined(separator: "\n").components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
    return try #require(blocks.first { $0.contains(marker) }).components(separatedBy: "\n")
  }

  /// A file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// Sends requests to an application without a socket. A poll of which nothing has come waits until it is cancelled.
struct BackendTransport: HTTPTransport {
  let backend: Backend

  init(_ backend: Backend) { self.backend = backend }

  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    let target = (request.path ?? "").replacing("&wait=50", with: "")
    let body =
      body.isEmpty
      ? nil : try JSONReader(JSONValue(parsing: Array(body))).omitting("wait").value
    let answer = await backend.call(request.method, target, request.headerFields, body: body)
    if answer.status == 204 { for await _ in AsyncStream<Void>(Void.self, { _ in }) {} }
    return (
      Data(answer.body),
      HTTPResponse(status: .init(code: answer.status), headerFields: answer.fields)
    )
  }
}

@Suite("The pages of the documentation")
struct PageTests {
  @Test("on loading and saving show code of the package that is built on ViewDelta")
  func loadAndSave() throws {
    let package = "Tests/Packages/Todo"
    let files = try [
      "Package.swift", "Sources/Todo/main.swift", "Sources/TodoScreens/TodoList.swift",
      "Sources/TodoScreens/TodoFeature.swift", "Sources/TodoScreens/TodoFile.swift",
      "Tests/TodoTests/TodoListTests.swift",
    ].map { try Page.text("\(package)/\($0)") }
    let blocks = try Page("LoadAndSave").blocks
    #expect(blocks.count == 15)
    for block in blocks {
      #expect(files.contains { $0.contains(block) }, "no file has \(block)")
    }
  }

  @Test("on showing a collection show the code of a feature of the tests")
  func showACollection() throws {
    let files = try ["NotesFeature", "WriteAScreen/HotelFeature"].map {
      try Page.text("Tests/ViewDeltaServerTests/\($0).swift")
    }
    let blocks = try Page("ShowACollection").blocks
    #expect(blocks.count == 5)
    for block in blocks {
      #expect(files.contains { $0.contains(block) }, "no feature has \(block)")
    }
  }

  @Test("on following a view model show the code of this test", .timeLimit(.minutes(1)))
  func followAViewModel() async throws {
    let backend = try WriteAScreenTests.backend {
      SignUp(check: { _ in throw CancellationError() }, create: { _ in })
    }
    // Another client puts something on the list just before the diff is asked for.
    let fetch = { (target: String) async -> Answer in
      if target.contains("/diff") {
        await backend.call(
          .post, "/v1/view-models/groceries/home/commands", body: ["type": "add", "name": "Salt"])
      }
      return await backend.get(target)
    }
    var inserted: [Text] = []
    let code = try Page("FollowAViewModel").blocks
    let page = code.joined(separator: "\n").split(separator: "\n")
    let lines = page.map { "    " + $0 }.joined(separator: "\n")
    let file = "Tests/ViewDeltaServerTests/WriteAScreen/PageTests.swift"
    #expect(try Page.text(file).contains(lines))

    // The code of the page:
    @MainActor final class GroceriesModel {
      let connection: ViewModelConnection
      var rows: [Row] = []
      var banner: String?
      init(_ connection: ViewModelConnection) { self.connection = connection }
      func follow() async {
        for await update in connection.updates() { take(update) }
      }
      func take(_ update: ViewModelUpdate) {
        switch update {
        case .changed(let replica, _):
          (rows, banner) = (Array(replica.rows(ofSection: "items")), nil)
        case .interrupted: banner = "There is no connection."
        case .resumed: banner = nil
        case .ended: banner = "This list is gone."
        }
      }
      func act(on row: Row) async throws {
        if let action = row.actions.first { try await connection.send(action.command) }
      }
    }
    func enter(_ value: JSONValue, into row: Row, of form: ViewModelConnection) async throws {
      if let command = row.command(entering: value) { try await form.send(command) }
    }
    @MainActor final class AppModel {
      var screens: [Text: GroceriesModel] = [:]
      var replicas: [Text: Replica] = [:]
      func follow(_ group: ViewModelGroup) async {
        for await updates in group.updates(from: replicas) {
          for (name, update) in updates {
            if case .changed(let replica, _) = update { replicas[name] = replica }
            screens[name]?.take(update)
          }
        }
      }
    }
    @MainActor final class RankingModel {
      let connection: ViewModelConnection
      var rows: [Row] = []
      var window: SeenWindow?
      init(_ connection: ViewModelConnection) {
        self.connection = connection
        show(0)
      }
      /// Call it with the number of the first row on the screen when the user scrolls.
      func show(_ first: Int) {
        // The start changes only at every 50th row: most rows that come into view are there already.
        let start = max(0, first / 50 * 50 - 50)
        if let window = RowWindow(start: start, count: 200) { connection.scroll(to: window) }
      }
      func follow() async {
        for await case .changed(let replica, _) in connection.updates() {
          rows = replica.snapshot.sections.flatMap { Array($0.rows) }
          window = replica.snapshot.window
        }
      }
      /// A table has `window.total` rows. One that is not there yet is blank.
      func row(_ number: Int) -> Row? {
        let index = number - (window?.rows.start ?? 0)
        return rows.indices.contains(index) ? rows[index] : nil
      }
    }
    let screen = "/v1/view-models/groceries/home"
    var replica = try Replica(document: await fetch(screen).body)
    let answer = await fetch("\(screen)/diff?since=\(replica.revision)&wait=50")
    if answer.status == 200 {
      let changes = try replica.apply(document: answer.body)
      for insert in changes.rows.inserts { inserted.append(insert.row.id) }
    }
    struct Labels: TransformableList {
      var elements: [Row] = []
      var texts: [Text] = []
      static func text(_ row: Row) -> Text {
        if case .string(let name)? = row.fields["name"] { name } else { "" }
      }
      mutating func insert(_ new: Row, at index: Int) {
        elements.insert(new, at: index)
        texts.insert(Self.text(new), at: index)
      }
      mutating func delete(_ old: Row, at index: Int) {
        elements.remove(at: index)
        texts.remove(at: index)
      }
      mutating func update(_ old: Row, at oldIndex: Int, to new: Row, at index: Int) {
        elements[index] = new
        texts[index] = Self.text(new)
      }
    }
    var labels = Labels()
    labels.transform(to: replica.rows(ofSection: "items"))
    let next = await fetch("\(screen)/diff?since=\(replica.revision)")
    try replica.apply(document: next.body, to: &labels, section: "items")
    #expect(inserted == ["item/1"] && replica.snapshot.rowCount == 2)
    #expect(labels.texts == ["Salt", "Salt"])

    let address = try #require(URL(string: "http://localhost"))
    let group = ViewModelGroup(
      of: ["groceries/home", "recipes/home"], on: address, by: BackendTransport(backend))
    let (model, recipes) = await (
      GroceriesModel(group["groceries/home"]), GroceriesModel(group["recipes/home"])
    )
    let loop = Task { await model.follow() }
    while await model.rows.count < 2 { await Task.yield() }
    try await model.act(on: #require(model.rows.first))
    loop.cancel()
    await loop.value
    #expect(await model.banner == nil)
    let app = AppModel()
    await MainActor.run { app.screens = ["groceries/home": model, "recipes/home": recipes] }
    let common = Task { await app.follow(group) }
    while await recipes.banner == nil { await Task.yield() }
    #expect(await recipes.banner == "This list is gone.")
    #expect(await model.rows.first?.fields["isBought"] == true)
    #expect(await Array(app.replicas.keys) == ["groceries/home"])
    common.cancel()
    await common.value
    #expect(await model.banner == nil)
    let ranking = await RankingModel(group["groceries/home"])
    let last = Task { await ranking.follow() }
    while await ranking.window == nil { await Task.yield() }
    #expect(await ranking.window?.total == 2)
    #expect(await [ranking.row(0), ranking.row(1), ranking.row(2)] == model.rows + [nil])
    last.cancel()
    await last.value
    let rows = try await backend.get(screen).json.member("sections").elements()[0].member("rows")
    #expect(try rows.elements()[0].member("isBought").bool())

    let signUp = ViewModelConnection(
      to: "signup/1@hT7c0VqRk2mZ5xEo9sYwAQ", on: address, by: BackendTransport(backend))
    var shown: [Row] = []
    for value in ["ada", ""] as [JSONValue] {
      for await case .changed(let form, _) in signUp.updates() {
        shown = Array(form.rows(ofSection: "you"))
        break
      }
      for row in shown where ["email", "send"].contains(row.id) {
        try await enter(value, into: row, of: signUp)
      }
    }
    #expect(shown.map(\.id) == ["name", "email", "email/error", "again", "send"])
    #expect(shown[1].fields["value"] == "ada")
  }
}
