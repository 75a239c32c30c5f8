import CanonicalJSON

/// The fields that an update sets: as values, or as JSON, which a reply needs only as it is.
enum UpdatedFields: Sendable {
  case values([Text: JSONValue])
  /// The canonical JSON of an object with the fields; no bytes if there are none.
  case encoded([UInt8])
}

extension UpdatedFields {
  var isEmpty: Bool {
    switch self {
    case .values(let values): values.isEmpty
    case .encoded(let bytes): bytes.isEmpty
    }
  }

  /// The fields as values.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes, if the fields are encoded.
  var values: [Text: JSONValue] {
    switch self {
    case .values(let values): return values
    case .encoded(let bytes):
      let object = EncodedObject(bytes)
      return object.members.reduce(into: [:]) { $0[object.name($1)] = object.value($1) }
    }
  }

  /// Writes an object with the fields.
  func encode(into writer: inout JSONWriter) {
    switch self {
    case .values(let values): writer.object(values)
    case .encoded(let bytes): writer.raw(bytes)
    }
  }
}

extension UpdatedFields: Hashable {
  /// Returns whether the fields have the same names and values, encoded or not.
  static func == (left: UpdatedFields, right: UpdatedFields) -> Bool {
    if case .encoded(let left) = left, case .encoded(let right) = right { return left == right }
    return left.values == right.values
  }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
