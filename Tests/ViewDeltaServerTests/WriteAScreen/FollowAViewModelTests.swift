import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Testing
import ViewDeltaClient
import ViewDeltaServer

/// Sends requests to an application without a socket. A poll of which nothing has come waits until it is cancelled.
struct BackendTransport: HTTPTransport {
  let backend: Backend

  init(_ backend: Backend) { self.backend = backend }

  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    let target = (request.path ?? "").replacing("&wait=20", with: "")
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

@Suite("The page on following a view model")
struct FollowAViewModelTests {
  @Test("shows the code of this test", .timeLimit(.minutes(5)))
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
    let file = "Tests/ViewDeltaServerTests/WriteAScreen/FollowAViewModelTests.swift"
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
    @MainActor final class GroceriesTable {
      let table: UITableView
      let connection: ViewModelConnection
      var replica: Replica?
      init(_ table: UITableView, _ connection: ViewModelConnection) {
        (self.table, self.connection) = (table, connection)
      }
      func follow() async {
        for await case .changed(let next, let changes) in connection.updates(from: replica) {
          show(next, changes)
        }
      }
      func show(_ next: Replica, _ changes: Changeset) {
        let (sections, rows) = (changes.sections, changes.rows)
        func path(_ path: RowPath) -> IndexPath { IndexPath(row: path.row, section: path.section) }
        table.performBatchUpdates { [self] in
          replica = next
          table.deleteSections(IndexSet(sections.deletes.map(\.at)), with: .automatic)
          table.insertSections(IndexSet(sections.inserts.map(\.at)), with: .automatic)
          for move in sections.moves { table.moveSection(move.from, toSection: move.to) }
          table.deleteRows(at: rows.deletes.map { path($0.at) }, with: .automatic)
          table.insertRows(at: rows.inserts.map { path($0.at) }, with: .automatic)
          for move in rows.moves { table.moveRow(at: path(move.from), to: path(move.to)) }
        }
        // Only now, because a batch cannot both move and draw a row.
        table.reconfigureRows(at: rows.updates.map { path($0.to) })
        table.reloadRows(at: rows.reloads.map { path($0.to) }, with: .none)
        let drawnSections = sections.updates.map(\.to) + sections.reloads.map(\.to)
        table.reloadSections(IndexSet(drawnSections), with: .none)
      }
      // What the data source of the table returns:
      var sectionCount: Int { replica?.snapshot.sections.count ?? 0 }
      func rowCount(in section: Int) -> Int { replica?.snapshot.sections[section].rows.count ?? 0 }
      func row(at path: IndexPath) -> Row? {
        replica?.snapshot[RowPath(section: path.section, row: path.row)]
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
    func news(of list: ViewModelConnection, inLast count: Int) async throws -> Changeset {
      let former = try await list.revisions(limit: count)
      let old = try await list.replica(at: former.first?.revision)
      return try await list.replica().snapshot.difference(from: old.snapshot)
    }
    let viewModel = "/v1/view-models/groceries/home"
    var replica = try Replica(document: await fetch(viewModel).body)
    let answer = await fetch("\(viewModel)/diff?since=\(replica.revision)&wait=50")
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
    let next = await fetch("\(viewModel)/diff?since=\(replica.revision)")
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
    let table = await UITableView()
    let groceries = await GroceriesTable(table, group["groceries/home"])
    await MainActor.run {
      table.source = { [groceries] in groceries.replica?.snapshot ?? .empty }
    }
    for count in [2, 3] {
      let shown = Task { await groceries.follow() }
      while await table.cells.rowCount != count { await Task.yield() }
      shown.cancel()
      await shown.value
      #expect(await groceries.rowCount(in: 0) == count)
      // The next loop finds another list than the table shows.
      try await group["groceries/home"].send(["type": "add", "name": "Rice"])
    }
    #expect(await groceries.row(at: [0, 1])?.id == "item/2")
    let added = try await news(of: group["groceries/home"], inLast: 2)
    #expect(added.rows.inserts.map(\.row.id) == ["item/4"] && added.operationCount == 1)
    // All operations of a batch: sections and rows that come, go, move, and change.
    func document(_ sections: Section...) throws -> [UInt8] {
      try Snapshot(states: [:], sections: sections)
        .encoded(kind: .snapshot, screen: "groceries/home", revision: "1")
    }
    func rows(_ names: String...) -> [Row] {
      names.map { name in
        Row(id: Text(String(name.prefix(1))), type: "t", fields: ["name": .string(Text(name))])
      }
    }
    var copy = try #require(await groceries.replica)
    for bytes in [
      try document(
        Section(id: "s", rows: rows("a", "b", "c")), Section(id: "t", rows: rows("d", "e")),
        Section(id: "u", rows: rows("f"))),
      try document(
        Section(id: "v", rows: rows("g")), Section(id: "t", rows: rows("e2", "b2", "h")),
        Section(id: "s", fields: ["title": "S"], rows: rows("c", "i", "a"))),
    ] {
      let changes = try copy.apply(document: bytes)
      await groceries.show(copy, changes)
      #expect(await table.cells.digest == copy.snapshot.digest)
    }
    var drawnAgain = copy.snapshot.difference(from: copy.snapshot)
    let path = try #require(copy.snapshot.path(ofRow: "i"))
    drawnAgain.rows.reloads = [Changeset.Reload(id: "i", from: path, to: path)]
    await groceries.show(copy, drawnAgain)
    #expect(await table.remade == ["i"])
    #expect(await table.errors.count == 5)
    #expect(await table.errors.allSatisfy { $0 == nil })
    let rows = try await backend.get(viewModel).json.member("sections").elements()[0].member("rows")
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
