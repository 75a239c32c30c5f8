public import CanonicalJSON
public import Snapshots

extension SeededGenerator {
  /// Returns a row with the given id, one of a few types, and up to three fields.
  public mutating func row(id: Text) -> Row {
    var fields: [Text: JSONValue] = [:]
    for name: Text in ["text", "badge", "ü/\"x", "u\u{308}/\"x"] where chance(0.6) {
      fields[name] = chance(0.2) ? json(depth: 2) : .integer(number(in: 0...3))
    }
    return Row(id: id, type: pick(["post", "header", "loading"]), fields: fields)
  }

  /// Returns a section with the given id and rows with the given ids.
  public mutating func section(id: Text, rowIDs: [Text]) -> Section {
    var fields: [Text: JSONValue] = [:]
    for name: Text in ["title", "rot"] where chance(0.4) {
      fields[name] = .integer(number(in: 0...3))
    }
    return Section(id: id, fields: fields, rows: rowIDs.map { row(id: $0) })
  }

  /// Returns the states of up to three sources.
  public mutating func states() -> [Text: Text] {
    var states: [Text: Text] = [:]
    for name: Text in ["profile", "posts", "é", "e\u{301}"] where chance(0.5) {
      states[name] = pick(["notRequested", "isLoading", "loaded", "failed"])
    }
    return states
  }

  /// Returns a snapshot with ids from a small range, so that two snapshots have many ids in common,
  /// mostly at different positions.
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

extension SeededGenerator {
  /// Returns a snapshot some edits away: rows and sections inserted, deleted, moved and changed,
  /// and states.
  ///
  /// The unchanged parts are shared by reference, as in an application.
  public mutating func mutation(of snapshot: Snapshot, edits: Int) throws -> Snapshot {
    var states = snapshot.states
    var sections = snapshot.sections.map { ($0.id, $0.fields, Array($0.rows)) }
    var nextID = 0
    func isTaken(_ id: Text) -> Bool {
      sections.contains { $0.0 == id || $0.2.contains { $0.id == id } }
    }
    func freshID(_ kind: Text) -> Text {
      repeat { nextID += 1 } while isTaken("\(kind)/new\(nextID)")
      return "\(kind)/new\(nextID)"
    }
    for _ in 0..<edits {
      let withRows = sections.indices.filter { !sections[$0].2.isEmpty }
      switch number(in: 0...11) {
      case 0:
        sections.insert(
          (freshID("section"), [:], (0..<number(in: 0...3)).map { _ in row(id: freshID("row")) }),
          at: number(in: 0...sections.count))
      case 1 where !sections.isEmpty:
        sections.remove(at: number(in: 0...(sections.count - 1)))
      case 2 where !sections.isEmpty:
        let section = sections.remove(at: number(in: 0...(sections.count - 1)))
        sections.insert(section, at: number(in: 0...sections.count))
      case 3 where !sections.isEmpty:
        let index = number(in: 0...(sections.count - 1))
        sections[index].1["title"] = chance(0.3) ? nil : .string(text())
      case 4:
        states[pick(["profile", "posts"])] = chance(0.3) ? nil : pick(["loaded", "failed"])
      case 5, 6:
        guard !sections.isEmpty else { continue }
        let index = number(in: 0...(sections.count - 1))
        let position = number(in: 0...sections[index].2.count)
        sections[index].2.insert(row(id: freshID("row")), at: position)
      default:
        guard !withRows.isEmpty else { continue }
        let index = pick(withRows)
        let position = number(in: 0...(sections[index].2.count - 1))
        let old = sections[index].2[position]
        switch number(in: 0...4) {
        case 0:
          sections[index].2.remove(at: position)
        case 1:
          sections[index].2[position] = Row(id: old.id, type: "\(old.type)'", fields: old.fields)
        case 2:
          sections[index].2[position] = row(id: old.id)
        case 3:
          sections[index].2.remove(at: position)
          let target = number(in: 0...(sections.count - 1))
          sections[target].2.insert(old, at: number(in: 0...sections[target].2.count))
        default:
          var fields = old.fields
          fields["text"] = .string(text())
          sections[index].2[position] = Row(id: old.id, type: old.type, fields: fields)
        }
      }
    }
    let kept = Dictionary(uniqueKeysWithValues: snapshot.sections.map { ($0.id, $0) })
    return try Snapshot(
      states: states,
      sections: sections.map { id, fields, rows in
        let section = Section(id: id, fields: fields, rows: rows)
        return kept[id].flatMap { $0 == section ? $0 : nil } ?? section
      })
  }
}
