import CanonicalJSON

/// A catalog as plain arrays of ids, changed by the plainest code there is: what the screen must
/// show after a batch.
struct CatalogOracle: Equatable {
  struct Section: Equatable {
    var id: Text
    var items: [Text]
  }

  struct Refusal: Error {}

  var sections: [Section] = []
  var titles: [Text: Text] = [:]
  var ignored = 0
  /// How often each item was reloaded in its life, which ends if it is deleted, and the number of its life.
  var lives: [Text: Life] = [:]
  private var nextLife = 0

  struct Life: Equatable {
    let number: Int
    var reloads = 0
  }

  /// Applies a batch, or throws and is as it was.
  mutating func apply(_ batch: [JSONValue]) throws {
    var copy = self
    copy.ignored = 0
    for operation in batch { try copy.apply(JSONReader(operation)) }
    self = copy
  }

  private mutating func apply(_ operation: JSONReader) throws {
    let text = { (name: Text) in try operation.optionalMember(name)?.string() }
    let ids = try (operation.optionalMember("ids")?.elements() ?? []).map { try $0.string() }
    let items = try operation.optionalMember("items")?.elements() ?? []
    let new = try (operation.optionalMember("sections")?.elements() ?? []).map { section in
      let items = try section.member("items").elements()
      for item in items { try setTitle(item) }
      return Section(
        id: try section.member("id").string(),
        items: try items.map { try $0.member("id").string() })
    }
    let anchor = try text("before") ?? text("after") ?? ""
    let shift = try text("after") == nil ? 0 : 1
    let name = try operation.member("operation").string()
    switch name {
    case "appendSections": sections += new
    case "insertSections": sections.insert(contentsOf: new, at: try index(anchor) + shift)
    case "deleteSections":
      for id in ids {
        if let index = try? index(id) { sections.remove(at: index) } else { ignored += 1 }
      }
    case "moveSection":
      let id = try text("id") ?? ""
      guard id != anchor, (try? index(anchor)) != nil else { throw Refusal() }
      let section = sections.remove(at: try index(id))
      sections.insert(section, at: try index(anchor) + shift)
    case "reloadSections":
      guard Set(new.map(\.id)).count == new.count else { throw Refusal() }
      let old = new.compactMap { section in sections.first { $0.id == section.id } }
      for section in new { sections[try index(section.id)] = section }
      for item in old.flatMap(\.items) { lives[item]?.reloads += 1 }
    case "appendItems":
      guard !sections.isEmpty else { throw Refusal() }
      let section = try text("section").map { try index($0) } ?? sections.count - 1
      sections[section].items += try titled(items)
    case "insertItems":
      let (section, item) = try place(anchor)
      sections[section].items.insert(contentsOf: try titled(items), at: item + shift)
    case "deleteItems":
      for id in ids {
        guard let (section, item) = try? place(id) else {
          ignored += 1
          continue
        }
        sections[section].items.remove(at: item)
      }
    case "deleteAllItems":
      for index in sections.indices { sections[index].items = [] }
    case "moveItem":
      let id = try text("id") ?? ""
      guard id != anchor, (try? place(anchor)) != nil else { throw Refusal() }
      let from = try place(id)
      sections[from.section].items.remove(at: from.item)
      let to = try place(anchor)
      sections[to.section].items.insert(id, at: to.item + shift)
    default:
      let ids = try titled(items)
      for id in ids { _ = try place(id) }
      guard Set(ids).count == ids.count else { throw Refusal() }
      if name == "reloadItems" { for id in ids { lives[id]?.reloads += 1 } }
    }
    let all = sections.flatMap(\.items)
    guard Set(all).count == all.count, Set(sections.map(\.id)).count == sections.count else {
      throw Refusal()
    }
    lives = lives.filter { all.contains($0.key) }
    for item in all where lives[item] == nil {
      nextLife += 1
      lives[item] = Life(number: nextLife)
    }
  }

  private mutating func titled(_ items: [JSONReader]) throws -> [Text] {
    for item in items { try setTitle(item) }
    return try items.map { try $0.member("id").string() }
  }

  private mutating func setTitle(_ item: JSONReader) throws {
    titles[try item.member("id").string()] = try item.member("title").string()
  }

  private func index(_ id: Text) throws -> Int {
    guard let index = sections.firstIndex(where: { $0.id == id }) else { throw Refusal() }
    return index
  }

  private func place(_ id: Text) throws -> (section: Int, item: Int) {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(of: id) { return (section, item) }
    }
    throw Refusal()
  }
}
