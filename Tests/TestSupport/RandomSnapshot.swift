public import CanonicalJSON
public import Snapshots

extension SeededGenerator {
  /// A row of the given id, of one of a few types, with up to three fields.
  public mutating func row(id: Text) -> Row {
    var fields: [Text: JSONValue] = [:]
    for name: Text in ["text", "badge", "ü/\"x", "u\u{308}/\"x"] where chance(0.6) {
      fields[name] = chance(0.2) ? json(depth: 2) : .integer(number(in: 0...3))
    }
    return Row(id: id, type: pick(["post", "header", "loading"]), fields: fields)
  }

  /// A section of the given id with rows of the given ids.
  public mutating func section(id: Text, rowIDs: [Text]) -> Section {
    var fields: [Text: JSONValue] = [:]
    for name: Text in ["title", "rot"] where chance(0.4) {
      fields[name] = .integer(number(in: 0...3))
    }
    return Section(id: id, fields: fields, rows: rowIDs.map { row(id: $0) })
  }

  /// The states of up to three sources.
  public mutating func states() -> [Text: Text] {
    var states: [Text: Text] = [:]
    for name: Text in ["profile", "posts", "é", "e\u{301}"] where chance(0.5) {
      states[name] = pick(["notRequested", "isLoading", "loaded", "failed"])
    }
    return states
  }

  /// A snapshot of some of a small stock of ids, so that two of them have much in common but
  /// seldom a place.
  public mutating func snapshot(maximumRows: Int = 20, maximumSections: Int = 5) throws -> Snapshot
  {
    let sectionIDs = (0...maximumSections).map { Text("section/\($0)") }.shuffled(using: &self)
    var rowIDs = (0..<(maximumRows + 5)).map { Text("row/\($0)") }.shuffled(using: &self)
    rowIDs.removeLast(number(in: 5...rowIDs.count))
    let count = number(in: 0...maximumSections)
    let sections = (0..<count).map { index in
      let share = index == count - 1 ? rowIDs.count : number(in: 0...rowIDs.count)
      let ids = Array(rowIDs.prefix(share))
      rowIDs.removeFirst(share)
      return section(id: sectionIDs[index], rowIDs: ids)
    }
    return try Snapshot(states: states(), sections: sections)
  }
}
