import CanonicalJSON
public import Snapshots

extension SeededGenerator {
  /// A snapshot some edits away: rows and sections inserted, deleted, moved, changed, and states.
  ///
  /// Whatever an edit does not touch is shared by reference, as in an application.
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
