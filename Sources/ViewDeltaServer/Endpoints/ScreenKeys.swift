import CanonicalJSON

/// Where a client finds the keys of a screen, to offer them to a person.
enum ScreenKeys: Sendable {
  /// The `id` of each element of a collection is a key. For people it has another member, unless the
  /// elements have no name.
  case collection(path: String, title: String?)
  /// These, and no others.
  case only([Text])

  /// The keys as they are listed beside the screen.
  var json: JSONValue {
    switch self {
    case .collection(let path, let title):
      .object(
        ["collection": .string(path)]
          .merging(title.map { ["title": .string($0)] } ?? [:]) { $1 })
    case .only(let keys): ["only": .array(keys.map(JSONValue.string))]
    }
  }
}
