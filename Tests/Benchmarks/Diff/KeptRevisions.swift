import CanonicalJSON
import Foundation
import Snapshots

/// The cost of a change to a kept revision, through the public interface of snapshots.
enum KeptRevisions {
  static func measure(into table: inout Table) {
    let snapshot = snapshot(rows: 100_000)
    let edit = time { difference(after: update, of: snapshot) }
    table.add(
      "edit of a kept revision of 100,000 rows: edit and diff", ours: Table.time(edit),
      budget: "≤ 20 µs", isMet: edit <= 20e-6)
    let ends = time { difference(after: changeEnds, of: snapshot) }
    table.add(
      "the same, 10 inserted at the head, one removed at the tail", ours: Table.time(ends),
      budget: "≤ 200 µs", isMet: ends <= 200e-6)
    scale(into: &table)
    assemble(into: &table)
  }

  /// Measures a change of one element in a screen's long list: making its rows, the snapshot, and
  /// the diff.
  private static func assemble(into table: inout Table) {
    let few = List(count: 1_000)
    let many = List(count: 1_000_000)
    let measurement = Measurement(rounds: 5, { many.changeOne() }, { few.changeOne() })
    table.add(
      "list of 1,000,000 elements: change, assembly and diff", measurement,
      reference: "of 1,000 elements", atMost: 4)
  }

  /// A list and the section of its rows.
  private struct List {
    struct Element: Identifiable, Equatable, Sendable {
      let id: Int
      var text: Text
    }

    let elements: KeyedSequence<Element>
    let cache: RowCache

    init(count: Int) {
      elements = KeyedSequence((0..<count).map { Element(id: $0, text: "Post \($0)") })
      var cache = RowCache()
      Self.show(elements, in: &cache)
      self.cache = cache
    }

    /// Changes an element in the middle.
    ///
    /// - Returns: The number of operations.
    func changeOne() -> Int {
      var (changed, next) = (elements, cache)
      changed[id: changed.count / 2]?.text = "Edited"
      Self.show(changed, in: &next)
      return next.snapshot.difference(from: cache.snapshot).operationCount
    }

    @ListBuilder<RowPart>
    private static func declare(_ elements: KeyedSequence<Element>) -> [RowPart] {
      row(-1, text: "The first of all rows")
      ForEach(elements) { row($0.id, text: $0.text.string) }
    }

    private static func show(_ elements: KeyedSequence<Element>, in cache: inout RowCache) {
      do {
        let section = cache.section("posts", declare(elements))
        cache.endAssembly(of: try Snapshot(sections: [section], reusing: cache.snapshot))
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  private static func scale(into table: inout Table) {
    let few = snapshot(rows: 1_000)
    let many = snapshot(rows: 1_000_000)
    let measurement = Measurement(
      rounds: 5, { difference(after: update, of: many) }, { difference(after: update, of: few) })
    table.add(
      "edit and diff of 1,000,000 rows", measurement, reference: "of 1,000 rows", atMost: 4)
  }

  /// Measures the memory of revisions that differ by one row each: at most a few times that of a
  /// single one.
  ///
  /// It must be called first, because reused free memory would not count.
  static func keep(revisions: Int, into table: inout Table) {
    let before = residentBytes()
    var kept = [snapshot(rows: 100_000)]
    // With the index of ids, which the first look-up makes and all revisions share.
    precondition(kept[0].path(ofRow: "post/0") != nil)
    let single = residentBytes() - before
    while kept.count < revisions, residentBytes() - before < 4 * single {
      kept.append(update(kept[kept.count - 1], kept.count))
    }
    let ratio = Double(residentBytes() - before) / Double(single)
    let times = (ratio * 100).rounded() / 100
    table.add(
      "memory of 128 revisions of 100,000 rows", ours: "\(times) × with \(kept.count) revisions",
      reference: "one revision", budget: "≤ 1.1", isMet: kept.count == revisions && ratio <= 1.1)
  }

  // MARK: Edits

  /// A change of a snapshot; the number distinguishes repeated changes.
  private typealias Edit = (Snapshot, Int) -> Snapshot

  private static func update(_ snapshot: Snapshot, _ number: Int) -> Snapshot {
    let row = row(snapshot.rowCount / 2, text: "Edit \(number)")
    return edited(snapshot) { (snapshot) throws(SnapshotOperationError) in
      try snapshot.reconfigureItems([row])
    }
  }

  private static func changeEnds(_ snapshot: Snapshot, _ number: Int) -> Snapshot {
    let count = snapshot.rowCount
    let rows = (0..<10).map { row(count + $0, text: "New \(number)") }
    return edited(snapshot) { (snapshot) throws(SnapshotOperationError) in
      try snapshot.insertItems(rows, beforeItem: "post/0")
      snapshot.deleteItems(["post/\(count - 1)"])
    }
  }

  private static func edited(
    _ snapshot: Snapshot, _ edit: (inout Snapshot) throws(SnapshotOperationError) -> Void
  ) -> Snapshot {
    do {
      var snapshot = snapshot
      try edit(&snapshot)
      return snapshot
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static func snapshot(rows: Int) -> Snapshot {
    make((0..<rows).map { row($0, text: "Post \($0)") })
  }

  private static func row(_ number: Int, text: String) -> Row {
    Row(id: "post/\(number)", type: "post", fields: ["text": .string(text)])
  }

  private static func make(_ rows: [Row]) -> Snapshot {
    do {
      return try Snapshot(sections: [Section(id: "posts", rows: rows)])
    } catch {
      preconditionFailure("\(error)")
    }
  }

  // MARK: Measures

  private static func difference(after edit: Edit, of snapshot: Snapshot) -> Int {
    edit(snapshot, 0).difference(from: snapshot).operationCount
  }

  private static func time(_ run: () -> Int) -> Double {
    Measurement.median((0..<9).map { _ in Measurement.time(run, count: 100) })
  }

  /// Returns the resident memory as the kernel reports it.
  private static func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = Int(text.split(separator: " ")[1])
    else { preconditionFailure("/proc/self/statm is there on every Linux") }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
