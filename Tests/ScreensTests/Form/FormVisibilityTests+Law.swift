import CanonicalJSON
import TestSupport
import Testing
import ViewState

/// Random forms against a model that asks each row anew whether it is shown.
extension FormVisibilityTests {
  private struct Model {
    struct Row {
      let id: Text
      let kind: Text
      /// The index of its group, and of its section.
      let group: Int?
      let section: Int
      let isHidden: Bool
      /// The index of the row on whose value it depends, the value, and whether it is wanted.
      let demand: (row: Int, value: JSONValue, isWanted: Bool)?
    }

    var rows: [Row] = []
    var values: [JSONValue] = []
    var collapsed: Set<Int> = []

    func isVisible(_ index: Int) -> Bool {
      let row = rows[index]
      if row.isHidden || row.group.map({ !isVisible($0) }) ?? false { return false }
      guard let demand = row.demand else { return true }
      return isVisible(demand.row) && (values[demand.row] == demand.value) == demand.isWanted
    }

    func isShown(_ index: Int) -> Bool {
      var group = rows[index].group
      while let next = group {
        if collapsed.contains(next) { return false }
        group = rows[next].group
      }
      return isVisible(index)
    }

    /// A section is left out while all its rows are hidden, but not if it has none.
    func hasSection(_ section: Int) -> Bool {
      let own = rows.indices.filter { rows[$0].section == section }
      return own.isEmpty || own.contains(where: isShown)
    }

    func depth(of index: Int) -> Int { rows[index].group.map { depth(of: $0) + 1 } ?? 0 }

    /// The rows of a list as a form describes them.
    func description(of section: Int, beneath group: Int? = nil) -> JSONValue {
      .array(
        rows.indices.filter { rows[$0].section == section && rows[$0].group == group }.map {
          description(of: $0, in: section)
        })
    }

    private func description(of index: Int, in section: Int) -> JSONValue {
      let row = rows[index]
      var members: [Text: JSONValue] = ["id": .string(row.id), "kind": .string(row.kind)]
      let target = row.demand.map { JSONValue.string(rows[$0.row].id) }
      switch row.kind {
      case "group":
        members["text"] = "G"
        members["collapsed"] = .bool(collapsed.contains(index))
        members["rows"] = description(of: section, beneath: index)
      case "offer":
        (members["title"], members["button"]) = ("T", "B")
        members["enters"] = .object(["row": target ?? "", "value": row.demand?.value ?? ""])
      default: members["label"] = "L"
      }
      if row.isHidden {
        members["visibility"] = "hidden"
      } else if let target, let demand = row.demand, demand.isWanted {
        members["visibility"] = ["row": target, "equals": demand.value]
      }
      return .object(members)
    }

    /// Adds a random row. It depends on those before it, or on those of later sections, which are there already.
    mutating func add(in section: Int, _ generator: inout SeededGenerator) {
      let groups = rows.indices.filter { rows[$0].kind == "group" && rows[$0].section == section }
      let inputs = rows.indices.filter { ["switch", "text"].contains(rows[$0].kind) }
      let group = generator.chance(0.6) ? groups.randomElement(using: &generator) : nil
      let target = generator.chance(0.6) ? inputs.randomElement(using: &generator) : nil
      let value = target.map { Self.value(of: rows[$0].kind, &generator) }
      var kind: Text = ["switch", "text", "group"][generator.number(in: 0...2)]
      if target != nil, generator.chance(0.3) { kind = "offer" }
      rows.append(
        Row(
          id: "r\(rows.count)", kind: kind, group: group, section: section,
          isHidden: generator.chance(0.1),
          demand: target.map { ($0, value ?? "", kind != "offer") }))
      values.append(kind == "switch" ? false : "")
      if kind == "group", generator.chance(0.3) { collapsed.insert(rows.count - 1) }
    }

    static func value(of kind: Text, _ generator: inout SeededGenerator) -> JSONValue {
      let isFilled = generator.chance(0.5)
      return kind == "switch" ? .bool(isFilled) : isFilled ? "x" : ""
    }
  }

  @Test("is shown by the values and groups of all others, and takes commands only then")
  func law() async throws {
    try await withSeeds(60) { generator in
      var model = Model()
      let count = generator.number(in: 1...3)
      // Beginning with the last section, so that rows depend on rows before them, and on rows behind them.
      for section in (0..<count).reversed() {
        let least = section == 0 ? 1 : 0
        for _ in 0..<generator.number(in: least...8) { model.add(in: section, &generator) }
      }
      // The order of the rows in the form: section by section, groups before the rows beneath them.
      func order(_ section: Int, _ group: Int? = nil) -> [Int] {
        model.rows.indices.filter {
          model.rows[$0].section == section && model.rows[$0].group == group
        }.flatMap { [$0] + order(section, $0) }
      }
      let order = (0..<count).flatMap { order($0) }
      let fixture = try FormFixture(
        .array(
          (0..<count).map { ["id": "s\($0)", "rows": model.description(of: $0)] }))
      for _ in 0..<20 {
        let index = generator.number(in: 0...model.rows.count - 1)
        let row = model.rows[index]
        let isShown = model.isShown(index)
        var command: JSONValue = ["type": "didSelect", "row": .string(row.id)]
        if row.kind != "group" {
          let value = Model.value(of: row.kind, &generator)
          command = ["type": "didChange", "row": .string(row.id), "value": value]
          if isShown, row.kind != "offer" { model.values[index] = value }
        } else if isShown {
          model.collapsed.formSymmetricDifference([index])
        }
        let isTaken = try await fixture.refusal(of: command) == nil
        try require(isTaken == (isShown && row.kind != "offer"), "\(command) is taken: \(isTaken)")
        let expected = order.filter(model.isShown)
          .map { "\(model.rows[$0].id) \(JSONValue.integer(model.depth(of: $0)))" }
        let shown = fixture.rows.map { "\($0) \(fixture.field("depth", of: $0) ?? 0)" }
        try require(shown == expected, "\(shown) in place of \(expected)")
        let sections = (0..<count).filter(model.hasSection).map { "s\($0)" as Text }
        try require(fixture.sections == sections, "\(fixture.sections) in place of \(sections)")
      }
    }
  }
}
