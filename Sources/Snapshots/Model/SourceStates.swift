import CanonicalJSON

/// The state of each source by its name, encoded once: the revisions that agree in them share it.
final class SourceStates: Sendable {
  let values: [Text: Text]
  /// The canonical JSON: an object of strings.
  let encoded: [UInt8]

  init(_ values: [Text: Text]) {
    self.values = values
    encoded = JSONValue.object(values.mapValues { .string($0) }).canonicalBytes()
  }
}

extension SourceStates: Equatable {
  /// Whether the sources and their states have the same bytes.
  static func == (left: SourceStates, right: SourceStates) -> Bool {
    left === right || left.encoded == right.encoded
  }
}
