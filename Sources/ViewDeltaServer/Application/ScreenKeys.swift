public import CanonicalJSON

/// Where a client finds the keys of a screen, to offer them to a person.
///
/// ```swift
/// application.add(NoteScreen(store: store), keys: .collection(path: "/v1/notes", title: "title"))
/// application.add(ClockScreen(), keys: .only(["now"]))
/// ```
public enum ScreenKeys: Sendable {
  /// The `id` of each element of the collection at a path is a key. `title` is the member that names an
  /// element for people; `nil` if elements have no name.
  case collection(path: String, title: String?)
  /// These keys and no others.
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
