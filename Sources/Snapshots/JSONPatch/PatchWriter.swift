import CanonicalJSON

/// A writer of a JSON Patch: a canonical JSON array of the operations of RFC 6902 §4.
struct PatchWriter: ~Copyable {
  private var writer: JSONWriter
  private var isFirst = true

  /// Creates an empty patch with room for `capacity` bytes.
  init(capacity: Int) {
    writer = JSONWriter(capacity: capacity)
    writer.raw(UInt8(ascii: "["))
  }

  /// Ends the patch and returns its bytes. No operation may follow.
  mutating func finish() -> [UInt8] {
    writer.raw(UInt8(ascii: "]"))
    return writer.bytes
  }

  /// Tests that a place has the given string. Otherwise no operation of the patch is applied.
  mutating func test(_ place: DocumentPlace, equals text: Text) {
    operation("test", at: place) { $0.string(text) }
  }

  /// Adds a member or replaces the present one (RFC 6902 §4.1), or inserts an element.
  mutating func add(at place: DocumentPlace, _ encodeValue: (inout JSONWriter) -> Void) {
    operation("add", at: place, encodeValue)
  }

  /// Replaces a value that must exist.
  mutating func replace(_ place: DocumentPlace, with encodeValue: (inout JSONWriter) -> Void) {
    operation("replace", at: place, encodeValue)
  }

  /// Removes a value that must exist.
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

  /// Writes an operation up to its value, with its members sorted by name.
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
  /// Writes an operation for each step. The closure writes the element of an insertion.
  mutating func perform<Position: ListPosition>(
    _ steps: [SequentialStep<Position>], encodeInsertion: (inout JSONWriter, Int) -> Void
  ) {
    for step in steps {
      switch step {
      case .remove(let position): remove(position.place)
      case .add(let insertion, let position):
        add(at: position.place) { encodeInsertion(&$0, insertion) }
      case .move(_, let from, let to): move(from: from.place, to: to.place)
      }
    }
  }

  /// Writes an operation for each member that an update changes, sorted by the bytes of their
  /// names.
  ///
  /// - Precondition: Each element is at its new position already.
  mutating func perform(updates: [Changeset.Update<some ListPosition>]) {
    for update in updates {
      let place = update.to.place
      // Removals come first: a name can replace an equivalent one of other bytes, and some clients
      // consider the two equal.
      for name in update.unset { remove(place.member(name)) }
      for (name, value) in update.set.sorted(by: { $0.key < $1.key }) {
        add(at: place.member(name)) { $0.value(value) }
      }
    }
  }
}

/// A place in the wire document of a snapshot.
struct DocumentPlace {
  private var value: Value
  /// The name of a member of the object, if the place is a member.
  private var member: Text?

  private enum Value {
    case document
    case states
    case section(Int)
    case row(RowPath)
  }

  private init(_ value: Value, member: Text? = nil) {
    self.value = value
    self.member = member
  }

  /// The whole document.
  static let document = DocumentPlace(.document)
  static let revision = DocumentPlace(.document, member: "revision")
  static let rowCount = DocumentPlace(.document, member: "rowCount")
  static let digest = DocumentPlace(.document, member: "digest")
  static let window = DocumentPlace(.document, member: "window")

  /// Returns the place of the state of a source.
  static func state(_ name: Text) -> DocumentPlace { DocumentPlace(.states, member: name) }

  static func section(_ index: Int) -> DocumentPlace { DocumentPlace(.section(index)) }

  static func row(_ path: RowPath) -> DocumentPlace { DocumentPlace(.row(path)) }

  /// Returns the place of a member of this section or row.
  func member(_ name: Text) -> DocumentPlace { DocumentPlace(value, member: name) }

  /// Writes the JSON Pointer to the place (RFC 6901) as a JSON string.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  func encode(into writer: inout JSONWriter) {
    writer.raw(UInt8(ascii: "\""))
    switch value {
    case .document:
      break
    case .states:
      writer.raw("/states")
    case .section(let index):
      writer.raw("/sections/")
      writer.integer(index)
    case .row(let path):
      writer.raw("/sections/")
      writer.integer(path.section)
      writer.raw("/rows/")
      writer.integer(path.row)
    }
    if let member {
      // Escaped twice: as a token of a pointer, then as text in JSON (RFC 6901 §5).
      writer.stringContent(Text(JSONPointer(tokens: [member]).description))
    }
    writer.raw(UInt8(ascii: "\""))
  }
}
