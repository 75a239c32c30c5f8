import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The simulator refuses each batch that UIKit refuses.
@Suite struct BatchUpdateSimulatorTests {
  struct Crash: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let damage: @Sendable (inout Changeset) -> Void

    init(_ name: String, _ damage: @escaping @Sendable (inout Changeset) -> Void) {
      testDescription = name
      self.damage = damage
    }
  }

  private static func path(_ section: Int, _ row: Int) -> RowPath {
    RowPath(section: section, row: row)
  }

  /// Faults in the correct batch from a (1 2), b (3) to a (2 9), b (3), which deletes row 1 and
  /// inserts row 9.
  static let crashes: [Crash] = [
    Crash("invalid number of rows") { $0.rows.deletes = [] },
    Crash("a path beyond the section") { $0.rows.deletes = [.init(id: "1", at: path(0, 2))] },
    Crash("another row") { $0.rows.deletes = [.init(id: "1", at: path(0, 1))] },
    Crash("a delete twice") { $0.rows.deletes += $0.rows.deletes },
    Crash("an insert twice") { $0.rows.inserts += $0.rows.inserts },
    Crash("delete and move of one row") {
      $0.rows.moves = [.init(id: "1", from: path(0, 0), to: path(0, 0))]
    },
    Crash("insert and move to one place") {
      $0.rows.moves = [.init(id: "2", from: path(0, 1), to: path(0, 1))]
    },
    Crash("coordinates mixed up") {
      $0.rows.inserts = [.init(at: path(0, 0), element: Row(id: "9", type: "t"))]
    },
    Crash("another row inserted") {
      $0.rows.inserts = [.init(at: path(0, 1), element: Row(id: "8", type: "t"))]
    },
    Crash("invalid number of sections") { $0.sections.deletes = [.init(id: "b", at: 1)] },
    Crash("a row operation in a deleted section") {
      $0.sections.deletes = [.init(id: "a", at: 0)]
      $0.sections.inserts = [.init(at: 1, element: Section(id: "b", rows: []))]
    },
    Crash("a row operation in an inserted section") {
      $0.sections.deletes = [.init(id: "b", at: 1)]
      $0.sections.inserts = [.init(at: 0, element: Section(id: "a", rows: []))]
    },
  ]

  @Test(arguments: crashes)
  func `a batch that would crash is refused`(_ crash: Crash) throws {
    let (old, new) = try Self.snapshots()
    var changeset = new.difference(from: old)
    try BatchUpdateSimulator(before: old, after: new, changeset: changeset).run()
    crash.damage(&changeset)
    #expect(throws: LawViolation.self) {
      try BatchUpdateSimulator(before: old, after: new, changeset: changeset).run()
    }
  }

  private static func snapshots() throws -> (Snapshot, Snapshot) {
    func section(_ id: Text, _ rows: Text...) -> Section {
      Section(id: id, rows: rows.map { Row(id: $0, type: "t") })
    }
    return (
      try Snapshot(sections: [section("a", "1", "2"), section("b", "3")]),
      try Snapshot(sections: [section("a", "2", "9"), section("b", "3")])
    )
  }
}
