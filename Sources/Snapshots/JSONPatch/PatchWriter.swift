import CanonicalJSON

/// Writes a JSON Patch: a canonical JSON array of the operations of RFC 6902 §4.
struct PatchWriter {
  private var writer: JSONWriter
  private var isFirst = true

  /// An empty patch with room for `capacity` bytes.
  init(capacity: Int) {
    writer = JSONWriter(capacity: capacity)
    writer.raw(UInt8(ascii: "["))
  }

  /// Ends the patch, which must not be added to any more.
  mutating func finish() -> [UInt8] {
    writer.raw(UInt8(ascii: "]"))
    return writer.bytes
  }

  /// Demands that the string at a place is the given one; else nothing of the patch is applied.
  mutating func test(_ place: DocumentPlace, equals text: Text) {
    operation("test", at: place) { $0.string(text) }
  }

  /// Adds a member, or replaces the one that is there (RFC 6902 §4.1), or inserts an element.
  mutating func add(at place: DocumentPlace, _ encodeValue: (inout JSONWriter) -> Void) {
    operation("add", at: place, encodeValue)
  }

  /// Replaces what must be there.
  mutating func replace(_ place: DocumentPlace, with encodeValue: (inout JSONWriter) -> Void) {
    operation("replace", at: place, encodeValue)
  }

  /// Removes what must be there.
  mutating func remove(_ place: DocumentPlace) {
    open("remove", at: place)
    close()
  }

  /// Moves an element.
  mutating func move(from: DocumentPlace, to: DocumentPlace) {
    open("move", from: from, at: to)
    close()
  }

  private mutating func operation(
    _ name: StaticString, at place: DocumentPlace, _ encodeValue: (inout JSONWriter) -> Void
  ) {
    open(name, at: place)
    writer.raw(",\"value\":")
    encodeValue(&writer)
    close()
  }

  /// Writes an operation up to its value; the members are sorted by their names.
  private mutating func open(
    _ name: StaticString, from: DocumentPlace? = nil, at place: DocumentPlace
  ) {
    writer.separate(&isFirst)
    writer.raw(UInt8(ascii: "{"))
    if let from {
      writer.raw("\"from\":")
      from.encode(into: &writer)
      writer.raw(UInt8(ascii: ","))
    }
    writer.raw("\"op\":\"")
    writer.raw(name)
    writer.raw("\",\"path\":")
    place.encode(into: &writer)
  }

  private mutating func close() {
    writer.raw(UInt8(ascii: "}"))
  }
}

extension PatchWriter {
  /// Writes an operation for each step.
  mutating func perform<Position: ListPosition, Element>(
    _ steps: [SequentialStep<Position, Element>],
    encodeElement: (inout JSONWriter, Element) -> Void
  ) {
    for step in steps {
      switch step {
      case .remove(let position): remove(position.place)
      case .add(let element, let position):
        add(at: position.place) { encodeElement(&$0, element) }
      case .move(let from, let to): move(from: from.place, to: to.place)
      }
    }
  }

  /// Writes an operation for each member that an update changes, sorted by the bytes of their
  /// names.
  ///
  /// - Precondition: each element stands at its new position already.
  mutating func perform(updates: [Changeset.Update<some ListPosition>]) {
    for update in updates {
      let place = update.to.place
      // First what goes: a name can give way to an equivalent one of other bytes, and there are
      // clients that take the two for one.
      for name in update.unset { remove(place.member(name)) }
      for (name, value) in update.set.sorted(by: { $0.key < $1.key }) {
        add(at: place.member(name)) { $0.value(value) }
      }
    }
  }
}
