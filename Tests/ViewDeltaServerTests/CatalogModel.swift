import CanonicalJSON
import Snapshots

/// The sections of a catalog as trees, changed by the plainest code there is: what the screen must show after a batch.
struct CatalogModel {
  struct Node {
    var id: Text
    var title: Text
    var isExpanded = false
    var children: [Node] = []

    var all: [Node] { [self] + children.flatMap(\.all) }
    var height: Int { 1 + (children.map(\.height).max() ?? 0) }

    /// Only what has items below it can be expanded.
    var settled: Node {
      var copy = self
      copy.children = children.map(\.settled)
      copy.isExpanded = isExpanded && !children.isEmpty
      return copy
    }

    var json: JSONValue {
      var members: [Text: JSONValue] = [
        "id": .string(id), "title": .string(title), "type": "catalogItem",
      ]
      if !children.isEmpty { members["children"] = .array(children.map(\.json)) }
      if isExpanded { members["isExpanded"] = true }
      return .object(members)
    }

    func shown(_ level: Int = 0) -> [String] {
      let mark = children.isEmpty ? "" : isExpanded ? "+" : "-"
      return ["\(id)\(mark) \(level) \(title)"]
        + (isExpanded ? children.flatMap { $0.shown(level + 1) } : [])
    }
  }

  /// How often an item was reloaded in its life, which ends if it is deleted, and the number of its life.
  struct Life: Equatable {
    let number: Int
    var reloads = 0
  }

  struct Refusal: Error {}

  private(set) var sections: [(id: Text, nodes: [Node])] = []
  private(set) var ignored = 0
  private(set) var lives: [Text: Life] = [:]
  private var nextLife = 0

  var document: JSONValue {
    .array(sections.map { ["id": .string($0.id), "items": .array($0.nodes.map(\.json))] })
  }
  var all: [Node] { sections.flatMap(\.nodes).flatMap(\.all) }
  var height: Int { sections.flatMap(\.nodes).map(\.height).max() ?? 0 }

  /// Applies a batch, or throws and is as it was.
  mutating func apply(_ batch: [JSONValue]) throws {
    var copy = self
    copy.ignored = 0
    for operation in batch {
      try copy.apply(JSONReader(operation))
      try copy.settle()
    }
    guard copy.height <= 9 else { throw Refusal() }
    self = copy
  }

  private mutating func settle() throws {
    let ids = all.map(\.id)
    guard Set(ids).count == ids.count, Set(sections.map(\.id)).count == sections.count else {
      throw Refusal()
    }
    for index in sections.indices { sections[index].nodes = sections[index].nodes.map(\.settled) }
    let known = Set(ids)
    lives = lives.filter { known.contains($0.key) }
    for id in ids where lives[id] == nil {
      nextLife += 1
      lives[id] = Life(number: nextLife)
    }
  }

  private mutating func apply(_ operation: JSONReader) throws {
    let text = { (name: Text) in try operation.optionalMember(name)?.string() }
    let ids = try (operation.optionalMember("ids")?.elements() ?? []).map { try $0.string() }
    let items = try (operation.optionalMember("items")?.elements() ?? []).map(Self.node)
    let new = try (operation.optionalMember("sections")?.elements() ?? []).map { section in
      try (
        id: section.member("id").string(), nodes: section.member("items").elements().map(Self.node)
      )
    }
    let (id, anchor) = try (text("id") ?? "", text("before") ?? text("after") ?? "")
    let shift = try text("after") == nil ? 0 : 1
    switch try operation.member("operation").string() {
    case "appendSections": sections += new
    case "insertSections": sections.insert(contentsOf: new, at: try index(anchor) + shift)
    case "deleteSections":
      for id in ids {
        if let index = try? index(id) { sections.remove(at: index) } else { ignored += 1 }
      }
    case "moveSection":
      guard id != anchor, (try? index(anchor)) != nil else { throw Refusal() }
      let section = sections.remove(at: try index(id))
      sections.insert(section, at: try index(anchor) + shift)
    case "reloadSections":
      guard Set(new.map(\.id)).count == new.count else { throw Refusal() }
      for section in new {
        let index = try index(section.id)
        for node in sections[index].nodes.flatMap(\.all) { lives[node.id]?.reloads += 1 }
        sections[index] = section
      }
    case "appendItems":
      if let parent = try text("to") {
        try change(parent) { $0[$1].children += items }
      } else {
        guard let last = sections.last else { throw Refusal() }
        sections[try index(text("section") ?? last.id)].nodes += items
      }
    case "insertItems": try change(anchor) { $0.insert(contentsOf: items, at: $1 + shift) }
    case "deleteItems":
      for id in ids {
        do { try change(id) { $0.remove(at: $1) } } catch { ignored += 1 }
      }
    case "deleteAllItems":
      for index in sections.indices { sections[index].nodes = [] }
    case "moveItem":
      guard let node = all.first(where: { $0.id == id }), all.contains(where: { $0.id == anchor }),
        !node.all.contains(where: { $0.id == anchor })
      else { throw Refusal() }
      try change(id) { $0.remove(at: $1) }
      try change(anchor) { $0.insert(node, at: $1 + shift) }
    case "expandItems": for id in ids { try change(id) { $0[$1].isExpanded = true } }
    case "collapseItems": for id in ids { try change(id) { $0[$1].isExpanded = false } }
    case let name:
      guard Set(items.map(\.id)).count == items.count else { throw Refusal() }
      for item in items {
        try change(item.id) { $0[$1].title = item.title }
        if name == "reloadItems" { lives[item.id]?.reloads += 1 }
      }
    }
  }

  private static func node(_ json: JSONReader) throws -> Node {
    Node(
      id: try json.member("id").string(), title: try json.member("title").string(),
      isExpanded: try json.optionalMember("isExpanded")?.bool() ?? false,
      children: try (json.optionalMember("children")?.elements() ?? []).map(node))
  }

  private func index(_ id: Text) throws -> Int {
    guard let index = sections.firstIndex(where: { $0.id == id }) else { throw Refusal() }
    return index
  }

  /// Changes the list that a node is in.
  private mutating func change(_ id: Text, _ edit: (inout [Node], Int) -> Void) throws {
    for index in sections.indices where Self.change(&sections[index].nodes, id, edit) { return }
    throw Refusal()
  }

  private static func change(
    _ nodes: inout [Node], _ id: Text, _ edit: (inout [Node], Int) -> Void
  ) -> Bool {
    if let index = nodes.firstIndex(where: { $0.id == id }) {
      edit(&nodes, index)
      return true
    }
    return nodes.indices.contains { change(&nodes[$0].children, id, edit) }
  }
}
