import CanonicalJSON
import ViewState

extension FormOutline {
  /// Checks what holds for a form as a whole; places are those in its description.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  /// - Complexity: O(*n*) expected, where *n* is the size of the description.
  func check(against limits: FormLimits) throws(JSONShapeError) {
    try checkSections(limits)
    let rows = allRows
    guard rows.count <= limits.rowsPerForm else {
      throw JSONShapeError(["sections"], "a form has at most \(limits.rowsPerForm) rows")
    }
    var known: [ResourceID: any RowGenerator] = [:]
    for (row, place, _) in rows
    where known.updateValue(row.generator, forKey: row.id) != nil {
      throw JSONShapeError(place + ["id"], "another row has the id \(row.id)")
    }
    for (row, place, _) in rows {
      do throws(JSONShapeError) {
        try row.generator.checkReferences(among: known)
      } catch {
        throw error.within(place)
      }
      if row.height > FormRow.deepest {
        throw JSONShapeError(place + ["rows"], "groups stand in at most \(FormRow.deepest) others")
      }
    }
    try checkVisibility(rows)
    guard json.canonicalBytes().count <= limits.bytesPerForm else {
      throw JSONShapeError(["sections"], "a form has at most \(limits.bytesPerForm) bytes")
    }
  }

  private func checkSections(_ limits: FormLimits) throws(JSONShapeError) {
    guard sections.count <= limits.sectionsPerForm else {
      throw JSONShapeError(["sections"], "a form has at most \(limits.sectionsPerForm) sections")
    }
    var known: Set<ResourceID> = []
    for (index, section) in sections.enumerated() where !known.insert(section.id).inserted {
      throw JSONShapeError(
        ["sections", "\(index)", "id"], "another section has the id \(section.id)")
    }
  }

  /// A row that is shown only while it is shown could never be, or never go.
  private func checkVisibility(
    _ rows: [(row: FormRow, place: [Text], group: ResourceID?)]
  ) throws(JSONShapeError) {
    let needs = byID { $0.row.needs($0.group) }
    var settled: Set<ResourceID> = []
    for (row, place, _) in rows {
      // The rows that this one depends on, in a walk that ends where it comes to one again.
      var (open, under): ([ResourceID?], Set<ResourceID>) = ([row.id], [])
      var trail: [ResourceID] = []
      while let next = open.popLast() {
        guard let id = next else {
          if let done = trail.popLast() {
            under.remove(done)
            settled.insert(done)
          }
          continue
        }
        if settled.contains(id) { continue }
        guard under.insert(id).inserted else {
          throw JSONShapeError(
            place + ["visibility"], "whether \(id) is shown would depend on itself")
        }
        trail.append(id)
        open.append(nil)
        open += needs[id] ?? []
      }
    }
  }
}

extension RowGenerator {
  /// Checks that the rows which this one names are there, and can do what it needs of them.
  fileprivate func checkReferences(
    among rows: [ResourceID: any RowGenerator]
  ) throws(JSONShapeError) {
    if case .when(let id, let value) = frame.visibility {
      guard let row = rows[id], row.answer != nil else {
        throw JSONShapeError(["visibility", "row"], "there is no row \(id) that has a value")
      }
      guard row.canAnswer(value) else {
        throw JSONShapeError(["visibility", "equals"], "\(id) never has this value")
      }
    }
    for reference in references {
      if reference.id == id {
        throw JSONShapeError(reference.place, "a row enters texts into others, not into itself")
      }
      guard rows[reference.id]?.canTakeTexts == true else {
        throw JSONShapeError(
          reference.place, "there is no row \(reference.id) that a text can be entered into")
      }
    }
  }

  private var canTakeTexts: Bool { Self.takesTexts }
}

extension FormRow {
  /// The rows that have to be shown so that this one may be.
  fileprivate func needs(_ group: ResourceID?) -> [ResourceID] {
    var needs = group.map { [$0] } ?? []
    if case .when(let row, _) = generator.frame.visibility { needs.append(row) }
    return needs
  }
}
