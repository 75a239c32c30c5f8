import CanonicalJSON
import Snapshots

/// The rows of a screen that is rendered anew for each revision: none of the new ones is an object of
/// the old list, however equal they are.
enum RenderedRows {
  /// Measures the engine, and the step of a server from rows to the bytes of a diff, on each workload.
  static func measure(into table: inout Table, where isSelected: (String) -> Bool) {
    for workload in Workload.rendered() {
      let name = "\(workload.name), rendered anew"
      if isSelected(name) { race(workload, name: name, in: &table) }
    }
  }

  private static func race(_ workload: Workload, name: String, in table: inout Table) {
    let oldRows = workload.old[0].map(row)
    let newRows = workload.new[0].map(row)
    let lists = ElementLists(old: [oldRows], new: [newRows])
    let run = lists.runs[0]
    let engine = { EditScript(rows: lists.runs).operationCount }
    let keyed = { KeyedDifference(run).operationCount }
    precondition(engine() == keyed(), "both find the fewest operations")
    table.add(name, Measurement(engine, keyed), reference: "keyed", atMost: 1.1)

    // The section of the new rows is made before: that is assembly.
    let section = Section(id: "posts", rows: newRows)
    let old = snapshot(Section(id: "posts", rows: oldRows), reusing: .empty)
    let changes = snapshot(section, reusing: old).difference(from: old)
    precondition(changes.operationCount == keyed(), "the step finds the fewest operations")
    let step = Measurement({ encoded(snapshot(section, reusing: old).difference(from: old)) }) {
      keyed() + encoded(changes)
    }
    table.add(
      "  snapshot, diff and its bytes", step, reference: "keyed and one encoding", atMost: 1.4)
  }

  private static func row(_ item: Item) -> Row {
    Row(id: Text(item.id), type: "post", fields: ["payload": .string(item.payload)])
  }

  private static func snapshot(_ section: Section, reusing previous: Snapshot) -> Snapshot {
    do {
      return try Snapshot(sections: [section], reusing: previous)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func encoded(_ changes: Changeset) -> Int {
    changes.encoded(screen: "posts", from: "0-0", revision: "0-1").count
  }
}
