import CanonicalJSON
import Snapshots

/// Ours, on the rows of a server, which know their hashes; a row that did not change is the same
/// object in both lists.
struct KnownEngine: ScriptEngine {
  let name = "known"

  func prepareScript(_ workload: Workload) -> () -> EditScript {
    var rows: [Item: Row] = [:]
    func rowsOf(_ items: [Item]) -> [Row] {
      items.map { item in
        if let row = rows[item] { return row }
        let row = Row(id: Text(item.id), type: "post", fields: ["payload": .string(item.payload)])
        rows[item] = row
        return row
      }
    }
    let lists = ElementLists(old: workload.old.map(rowsOf), new: workload.new.map(rowsOf))
    return { EditScript(rows: lists.runs) }
  }
}
