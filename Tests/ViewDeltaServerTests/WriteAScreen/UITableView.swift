import CanonicalJSON
import Foundation
import Snapshots
import TestSupport

/// As in UIKit.
extension IndexPath {
  init(row: Int, section: Int) { self = [section, row] }
  var section: Int { self[0] }
  var row: Int { self[1] }
}

extension RowPath {
  init(_ path: IndexPath) { self.init(section: path.section, row: path.row) }
}

/// A table like that of UIKit, for code that uses it: it checks each batch of updates, and knows what its cells show.
@MainActor final class UITableView {
  enum RowAnimation { case automatic, none }

  /// What the data source has.
  var source: () -> Snapshot = { .empty }
  /// What the cells show.
  private(set) var cells = Snapshot.empty
  /// The rows whose cells were made again.
  private(set) var remade: [Text] = []
  /// The errors of the batches.
  private(set) var errors: [(any Error)?] = []
  private var (sections, rows) = (Changeset.Group<Int, Section>(), Changeset.Group<RowPath, Row>())

  func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    (sections, rows) = (Changeset.Group(), Changeset.Group())
    updates?()
    let new = source()
    do {
      try BatchUpdateSimulator(
        before: cells, after: new,
        changeset: Changeset(
          sections: sections, rows: rows, rowCount: new.rowCount, digest: new.digest)
      ).run()
      errors.append(nil)
      // What is kept is not drawn again.
      let inserted = Set(rows.inserts.map(\.row.id))
      draw { new, old in
        guard let old else { return new }
        let rows = new.rows.map { row in
          let path = inserted.contains(row.id) ? nil : cells.path(ofRow: row.id)
          return path.map { cells[$0] } ?? row
        }
        return Section(id: new.id, fields: old.fields, rows: rows)
      }
    } catch {
      errors.append(error)
    }
  }

  func deleteSections(_ numbers: IndexSet, with _: RowAnimation) {
    sections.deletes += numbers.map { Changeset.Deletion(id: cells.sections[$0].id, at: $0) }
  }

  func insertSections(_ numbers: IndexSet, with _: RowAnimation) {
    sections.inserts += numbers.map {
      Changeset.Insertion(at: $0, element: source().sections[$0])
    }
  }

  func moveSection(_ from: Int, toSection to: Int) {
    sections.moves.append(Changeset.Move(id: cells.sections[from].id, from: from, to: to))
  }

  func deleteRows(at paths: [IndexPath], with _: RowAnimation) {
    rows.deletes += paths.map { Changeset.Deletion(id: cells[RowPath($0)].id, at: RowPath($0)) }
  }

  func insertRows(at paths: [IndexPath], with _: RowAnimation) {
    rows.inserts += paths.map {
      Changeset.Insertion(at: RowPath($0), element: source()[RowPath($0)])
    }
  }

  func moveRow(at from: IndexPath, to: IndexPath) {
    let (from, to) = (RowPath(from), RowPath(to))
    rows.moves.append(Changeset.Move(id: cells[from].id, from: from, to: to))
  }

  func reconfigureRows(at paths: [IndexPath]) {
    let drawn = Set(paths.map { source()[RowPath($0)].id })
    draw { new, old in
      guard let old else { return new }
      let rows = zip(old.rows, new.rows).map { drawn.contains($1.id) ? $1 : $0 }
      return Section(id: new.id, fields: old.fields, rows: rows)
    }
  }

  func reloadRows(at paths: [IndexPath], with _: RowAnimation) {
    remade += paths.map { source()[RowPath($0)].id }
    reconfigureRows(at: paths)
  }

  func reloadSections(_ numbers: IndexSet, with _: RowAnimation) {
    let drawn = Set(numbers.map { source().sections[$0].id })
    draw { new, old in drawn.contains(new.id) ? new : old ?? new }
  }

  /// - Parameter shown: Returns what is shown of a section of the data source, and of it as it was shown before.
  private func draw(_ shown: (_ new: Section, _ old: Section?) -> Section) {
    let sections = source().sections.map { new in
      shown(new, cells.index(ofSection: new.id).map { cells.sections[$0] })
    }
    if let next = try? Snapshot(states: [:], sections: sections) { cells = next }
  }
}
