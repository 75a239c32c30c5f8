import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The codes of the errors for changesets that cannot be applied.
@Suite struct ChangesetRefusalTests {
  /// Sections a (1 2 3), b (4) and c (5).
  static let old = make(("a", ["1", "2", "3"]), ("b", ["4"]), ("c", ["5"]))

  private static func make(_ sections: (Text, [Text])...) -> Snapshot {
    do {
      return try Snapshot(
        states: ["posts": "loaded"],
        sections: sections.map { id, rows in
          Section(
            id: id, fields: ["title": "T"],
            rows: rows.map { Row(id: $0, type: "t", fields: ["text": "x"]) })
        })
    } catch {
      preconditionFailure("\(error)")
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ChangesetError.Code
    var changeset = Changeset(rowCount: old.rowCount, digest: old.digest)

    init(
      _ name: String, _ code: ChangesetError.Code, _ change: (inout Changeset) -> Void
    ) {
      testDescription = name
      self.code = code
      change(&changeset)
    }
  }

  private static func path(_ section: Int, _ row: Int) -> RowPath {
    RowPath(section: section, row: row)
  }

  static let refusals: [Refusal] = [
    Refusal("another number of rows", .rowCountMismatch) { $0.rowCount += 1 },
    Refusal("another digest", .digestMismatch) { $0.digest = Snapshot.empty.digest },
    Refusal("an unknown state vanishes", .unknownState) { $0.states = ["x": nil] },
    Refusal("a state that the digest does not have", .digestMismatch) { $0.states = ["x": "y"] },
    Refusal("a row beyond the section", .positionOutOfRange) {
      $0.rows.deletes = [.init(id: "4", at: path(1, 1))]
    },
    Refusal("a row before the section", .positionOutOfRange) {
      $0.rows.deletes = [.init(id: "4", at: path(1, -1))]
    },
    Refusal("a row of no section", .positionOutOfRange) {
      $0.rows.deletes = [.init(id: "4", at: path(-1, 0))]
    },
    Refusal("another row", .identifierMismatch) {
      $0.rows.deletes = [.init(id: "4", at: path(0, 0))]
    },
    Refusal("an insert beyond the end", .positionOutOfRange) {
      $0.rows.inserts = [.init(at: path(1, 2), element: Row(id: "9", type: "t"))]
    },
    Refusal("an insert before the start", .positionOutOfRange) {
      $0.rows.inserts = [.init(at: path(1, -1), element: Row(id: "9", type: "t"))]
    },
    Refusal("an insert far away", .positionOutOfRange) {
      $0.rows.inserts = [.init(at: path(1, .max), element: Row(id: "9", type: "t"))]
    },
    Refusal("an insert into no section", .positionOutOfRange) {
      $0.rows.inserts = [.init(at: path(3, 0), element: Row(id: "9", type: "t"))]
    },
    Refusal("a row twice", .duplicateIdentifier) {
      $0.rows.inserts = [.init(at: path(1, 0), element: Row(id: "1", type: "t"))]
    },
    Refusal("a section twice", .duplicateIdentifier) {
      $0.sections.inserts = [.init(at: 0, element: Section(id: "a", rows: []))]
    },
    Refusal("a row that is deleted and moved", .positionTaken) {
      $0.rows.deletes = [.init(id: "1", at: path(0, 0))]
      $0.rows.moves = [.init(id: "1", from: path(0, 0), to: path(1, 0))]
    },
    Refusal("an insert and a move to one place", .positionTaken) {
      $0.rows.inserts = [.init(at: path(1, 0), element: Row(id: "9", type: "t"))]
      $0.rows.moves = [.init(id: "1", from: path(0, 0), to: path(1, 0))]
    },
    Refusal("deletes that ascend", .notInOrder) {
      $0.rows.deletes = [.init(id: "1", at: path(0, 0)), .init(id: "2", at: path(0, 1))]
    },
    Refusal("a delete twice", .notInOrder) {
      $0.rows.deletes = Array(repeating: .init(id: "1", at: path(0, 0)), count: 2)
    },
    Refusal("inserts that descend", .notInOrder) {
      $0.rows.inserts = [
        .init(at: path(0, 1), element: Row(id: "8", type: "t")),
        .init(at: path(0, 0), element: Row(id: "9", type: "t")),
      ]
    },
    Refusal("an update twice", .notInOrder) {
      $0.rows.updates = Array(
        repeating: .init(id: "1", from: path(0, 0), to: path(0, 0), set: ["text": "y"]), count: 2)
    },
    Refusal("a row of a deleted section", .wholeSection) {
      $0.sections.deletes = [.init(id: "a", at: 0)]
      $0.rows.deletes = [.init(id: "1", at: path(0, 0))]
    },
    Refusal("a row of an inserted section", .wholeSection) {
      $0.sections.inserts = [.init(at: 0, element: Section(id: "z", rows: []))]
      $0.rows.inserts = [.init(at: path(0, 0), element: Row(id: "9", type: "t"))]
    },
    Refusal("an update at another place than the row goes to", .invalidUpdate) {
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 1), set: ["text": "y"])]
    },
    Refusal("an update of a row that is deleted and inserted", .invalidUpdate) {
      $0.rows.deletes = [.init(id: "1", at: path(0, 0))]
      $0.rows.inserts = [.init(at: path(0, 0), element: Row(id: "1", type: "u"))]
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 0), set: ["text": "y"])]
    },
    Refusal("an update of the id", .invalidUpdate) {
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 0), set: ["id": "9"])]
    },
    Refusal("an update of the type", .invalidUpdate) {
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 0), set: ["type": "u"])]
    },
    Refusal("an update that unsets what is not there", .invalidUpdate) {
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 0), unset: ["badge"])]
    },
    Refusal("an update that sets and unsets one field", .invalidUpdate) {
      $0.rows.updates = [
        .init(id: "1", from: path(0, 0), to: path(0, 0), set: ["text": "y"], unset: ["text"])
      ]
    },
    Refusal("an update of nothing", .invalidUpdate) {
      $0.rows.updates = [.init(id: "1", from: path(0, 0), to: path(0, 0))]
    },
    Refusal("an update of another row", .identifierMismatch) {
      $0.rows.updates = [.init(id: "2", from: path(0, 0), to: path(0, 0), set: ["text": "y"])]
    },
    Refusal("no such section", .positionOutOfRange) {
      $0.sections.deletes = [.init(id: "d", at: 3)]
    },
    Refusal("another section", .identifierMismatch) {
      $0.sections.deletes = [.init(id: "a", at: 1)]
    },
    Refusal("a section moves beyond the end", .positionOutOfRange) {
      $0.sections.moves = [.init(id: "a", from: 0, to: 3)]
    },
    Refusal("a section is moved twice", .positionTaken) {
      $0.sections.moves = [.init(id: "a", from: 0, to: 1), .init(id: "a", from: 0, to: 2)]
    },
    Refusal("an update of a section that goes elsewhere", .invalidUpdate) {
      $0.sections.updates = [.init(id: "a", from: 0, to: 1, set: ["title": "U"])]
    },
    Refusal("an update of a section's rows", .invalidUpdate) {
      $0.sections.updates = [.init(id: "a", from: 0, to: 0, set: ["rows": []])]
    },
  ]

  @Test(arguments: refusals)
  func `an invalid changeset is refused with its code`(_ refusal: Refusal) {
    let error = #expect(throws: ChangesetError.self) { try Self.old.applying(refusal.changeset) }
    #expect(error?.code == refusal.code)
    #expect(error?.message.isEmpty == false)
  }

  @Test func `a changeset with a missing part is refused, or gives the same result`() throws {
    try withSeeds(800) { random in
      let old = try random.snapshot()
      let new = try random.mutation(of: old, edits: 6)
      var damaged = new.difference(from: old)
      func drop<Element>(from list: inout [Element]) {
        if !list.isEmpty { list.remove(at: random.number(in: 0...(list.count - 1))) }
      }
      switch random.number(in: 0...7) {
      case 0: drop(from: &damaged.rows.deletes)
      case 1: drop(from: &damaged.rows.inserts)
      case 2: drop(from: &damaged.rows.moves)
      case 3: drop(from: &damaged.rows.updates)
      case 4: drop(from: &damaged.sections.deletes)
      case 5: drop(from: &damaged.sections.inserts)
      case 6: drop(from: &damaged.sections.moves)
      default: damaged.states = [:]
      }
      guard let result = try? old.applying(damaged) else { return }
      try require(result == new, "\(damaged) was applied")
    }
  }

  @Test func `a changeset for another snapshot is refused, or gives its target`() throws {
    try withSeeds(800) { random in
      let old = try random.snapshot()
      let new = try random.mutation(of: old, edits: 4)
      let other = try random.mutation(of: old, edits: 2)
      guard let result = try? other.applying(new.difference(from: old)) else { return }
      try require(result == new, "\(result) is not the target")
    }
  }
}
