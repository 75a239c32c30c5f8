public import CanonicalJSON

extension Changeset {
  /// Returns the wire document of this changeset: canonical JSON with the members `digest`, `from`,
  /// `kind`, `revision`, `rowCount`, `rows`, `screen`, `sections`, `states` and, if ``window`` is not `nil`, `window`, and
  /// `"animated":false` unless ``isAnimated``. Empty groups and objects are omitted, so a diff without operations has
  /// no `rows`, `sections` and `states`.
  ///
  ///     let document = new.difference(from: old).encoded(
  ///       screen: "profile/1", from: "hG996zGP.4", revision: "hG996zGP.5")
  ///
  /// - Parameters:
  ///   - screen: The screen and key, such as `profile/1`.
  ///   - from: The revision that the changeset applies to.
  ///   - revision: The revision that it leads to.
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes and *m* the largest number of
  ///   fields of an update.
  public func encoded(screen: Text, from: Text, revision: Text) -> [UInt8] {
    JSONWriter.bytes(capacity: 256 + 128 * operationCount) { writer in
      writer.raw(isAnimated ? "{\"digest\":" : "{\"animated\":false,\"digest\":")
      writer.string(digest.description)
      writer.raw(",\"from\":")
      writer.string(from)
      writer.raw(",\"kind\":\"diff\",\"revision\":")
      writer.string(revision)
      writer.raw(",\"rowCount\":")
      writer.integer(rowCount)
      if !rows.isEmpty {
        writer.raw(",\"rows\":")
        rows.encode(into: &writer, element: "row") { writer, row in writer.raw(row.encoded) }
      }
      writer.raw(",\"screen\":")
      writer.string(screen)
      if !sections.isEmpty {
        writer.raw(",\"sections\":")
        sections.encode(into: &writer, element: "section") { writer, section in
          section.encode(into: &writer)
        }
      }
      if !states.isEmpty {
        writer.raw(",\"states\":")
        writer.object(states.mapValues { $0.map { .string($0) } ?? .null })
      }
      if let window {
        writer.raw(",\"window\":")
        writer.window(window)
      }
      writer.raw(UInt8(ascii: "}"))
    }
  }
}

extension Changeset.Group where Position: ListPosition {
  /// Writes the groups that are not empty, each operation with its members sorted by name.
  fileprivate func encode(
    into writer: inout JSONWriter, element name: StaticString,
    encodeElement: (inout JSONWriter, Element) -> Void
  ) {
    writer.raw(UInt8(ascii: "{"))
    var isFirst = true
    writer.list("deletes", of: deletes, &isFirst) { writer, delete in
      writer.raw("{\"at\":")
      delete.at.encode(into: &writer)
      writer.raw(",\"id\":")
      writer.string(delete.id)
    }
    writer.list("inserts", of: inserts, &isFirst) { writer, insert in
      writer.raw("{\"at\":")
      insert.at.encode(into: &writer)
      writer.raw(",\"")
      writer.raw(name)
      writer.raw("\":")
      encodeElement(&writer, insert.element)
    }
    writer.list("moves", of: moves, &isFirst) { $0.transition($1.id, from: $1.from, to: $1.to) }
    writer.list("reloads", of: reloads, &isFirst) { $0.transition($1.id, from: $1.from, to: $1.to) }
    writer.list("updates", of: updates, &isFirst) { writer, update in
      writer.raw("{\"from\":")
      update.from.encode(into: &writer)
      writer.raw(",\"id\":")
      writer.string(update.id)
      if !update.fields.isEmpty {
        writer.raw(",\"set\":")
        update.fields.encode(into: &writer)
      }
      writer.raw(",\"to\":")
      update.to.encode(into: &writer)
      if !update.unset.isEmpty {
        writer.raw(",\"unset\":")
        writer.value(.array(update.unset.map { .string($0) }))
      }
    }
    writer.raw(UInt8(ascii: "}"))
  }
}

extension JSONWriter {
  /// Writes a member with a list of objects unless the list is empty. The closure writes an object
  /// up to its closing brace.
  fileprivate mutating func list<Operation>(
    _ name: StaticString, of operations: [Operation], _ isFirstMember: inout Bool,
    encode: (inout JSONWriter, borrowing Operation) -> Void
  ) {
    if operations.isEmpty { return }
    separate(&isFirstMember)
    raw(UInt8(ascii: "\""))
    raw(name)
    raw("\":[")
    var isFirst = true
    // In their places, so that no reference is counted.
    operations.withUnsafeBufferPointer { operations in
      for index in operations.indices {
        separate(&isFirst)
        operations.borrow(index) { encode(&self, $0) }
        raw(UInt8(ascii: "}"))
      }
    }
    raw(UInt8(ascii: "]"))
  }

  /// Writes a move or a reload up to its closing brace.
  fileprivate mutating func transition(
    _ id: Text, from: some ListPosition, to: some ListPosition
  ) {
    raw("{\"from\":")
    from.encode(into: &self)
    raw(",\"id\":")
    string(id)
    raw(",\"to\":")
    to.encode(into: &self)
  }
}
