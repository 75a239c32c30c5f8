package import CanonicalJSON
package import Snapshots

extension Snapshot {
  /// Reads the content of a `snapshot` or `reset` document, and checks its number of rows and
  /// digest.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``ReplicaError`` if a member is missing or has the wrong type, if ids are not
  ///   unique, or if the content does not have the number of rows or the digest that the document
  ///   states.
  init(wire document: JSONReader) throws(ReplicaError) {
    var states: [Text: Text] = [:]
    var sections: [Section] = []
    let rowCount: Int
    let digest: Digest
    let window: SeenWindow?
    do throws(JSONShapeError) {
      let stateReader = try document.member("states")
      for name in try stateReader.memberNames {
        states[name] = try stateReader.member(name).string()
      }
      for section in try document.member("sections").elements() {
        sections.append(try Section(wire: section))
      }
      rowCount = try document.member("rowCount").integer()
      digest = try Digest(wire: document.member("digest"))
      window = try SeenWindow(ofDocument: document)
    } catch {
      throw .unexpectedShape(error)
    }
    do {
      self = try Snapshot(states: states, sections: sections).with(window: window)
    } catch {
      throw .duplicateIdentifiers(error)
    }
    guard self.rowCount == rowCount else {
      throw .rowCountMismatch(expected: rowCount, found: self.rowCount)
    }
    guard self.digest == digest else {
      throw .digestMismatch(expected: digest, found: self.digest)
    }
  }
}

extension SeenWindow {
  /// Reads the window that a document of a view model names; `nil` if it names none.
  ///
  /// - Throws: `JSONShapeError` if the member has the wrong type or a number out of range.
  init?(ofDocument document: JSONReader) throws(JSONShapeError) {
    guard let window = try document.optionalMember("window") else { return nil }
    self.init(rows: try RowWindow(window), total: try window.member("total").count())
  }
}

extension Section {
  /// Reads the object of a section: `id`, `rows`, and all other members as fields.
  ///
  /// - Throws: `JSONShapeError` if a member is missing or has the wrong type.
  package init(wire section: JSONReader) throws(JSONShapeError) {
    var fields = try section.object()
    fields["id"] = nil
    fields["rows"] = nil
    var rows: [Row] = []
    for row in try section.member("rows").elements() { rows.append(try Row(wire: row)) }
    self.init(id: try section.member("id").string(), fields: fields, rows: rows)
  }
}

extension Row {
  /// Reads the object of a row: `id`, `type`, and all other members as fields.
  ///
  /// - Throws: `JSONShapeError` if a member is missing or has the wrong type.
  init(wire row: JSONReader) throws(JSONShapeError) {
    var fields = try row.object()
    fields["id"] = nil
    fields["type"] = nil
    self.init(
      id: try row.member("id").string(), type: try row.member("type").string(), fields: fields)
  }
}

extension Digest {
  /// Reads the text form of a digest.
  ///
  /// - Throws: `JSONShapeError` if the value is not a digest.
  init(wire digest: JSONReader) throws(JSONShapeError) {
    guard let value = Digest(try digest.string().string) else {
      throw digest.error("expected a digest in base 36")
    }
    self = value
  }
}
