import CanonicalJSON
import Snapshots

/// The cost of what a client with a window of 100 rows gets after a change in the window and when it scrolls, and of
/// finding that a change is outside of it.
enum WindowCost {
  static func measure(into table: inout Table) throws {
    let (long, short) = (try List(count: 1_000_000), try List(count: 1_000))
    let diff = ("both windows, the diff and its bytes", 100e-6)
    let check = ("that it is outside", 10e-6)
    let workloads: [(String, (List) -> Int, part: (name: String, limit: Double))] = [
      ("a change inside", { $0.diff(to: $0.changedInside, $0.window) }, diff),
      ("a change outside", { $0.isSame(in: $0.changedOutside) ? 1 : 0 }, check),
      ("a scroll by 50 rows", { $0.diff(to: $0.snapshot, $0.next) }, diff),
    ]
    for (name, run, part) in workloads {
      let cost = Measurement({ run(long) }, { run(short) })
      table.add(
        "window of 100 rows of 1,000,000: \(name)", cost, reference: "of 1,000", atMost: 3)
      table.add(
        "  \(part.name)", ours: Table.time(cost.first), budget: "≤ \(Table.time(part.limit))",
        isMet: cost.first <= part.limit)
    }
  }

  /// A list, a window in its middle, and the list after a change.
  private struct List {
    let snapshot: Snapshot
    let changedInside: Snapshot
    let changedOutside: Snapshot
    let window: RowWindow
    let next: RowWindow

    init(count: Int) throws {
      snapshot = try Snapshot(
        sections: [Section(id: "posts", rows: (0..<count).map { Self.row($0, "Post") })])
      let start = count / 2
      guard let window = RowWindow(start: start, count: 100),
        let next = RowWindow(start: start + 50, count: 100)
      else { preconditionFailure("the windows are in range") }
      (self.window, self.next) = (window, next)
      var inside = snapshot
      try inside.reconfigureItems([Self.row(start + 50, "Edited")])
      var outside = snapshot
      try outside.reconfigureItems([Self.row(start / 2, "Edited")])
      (changedInside, changedOutside) = (inside, outside)
    }

    /// Returns the size of the diff from the window of the list to a window of another one, in bytes.
    func diff(to other: Snapshot, _ next: RowWindow) -> Int {
      let (before, after) = (snapshot.seen(through: window), other.seen(through: next))
      return after.difference(from: before)
        .encoded(screen: "posts/1", from: "0-0", revision: "0-1").count
    }

    /// Returns whether the window shows the same in another list.
    func isSame(in other: Snapshot) -> Bool { other.isSame(as: snapshot, through: window) }

    private static func row(_ number: Int, _ title: Text) -> Row {
      Row(id: "post/\(number)", type: "post", fields: ["title": .string(title)])
    }
  }
}
