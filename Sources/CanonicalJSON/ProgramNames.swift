import Synchronization

/// Collects the strings of documents that the program gives a meaning, while it decodes them: the names of members,
/// the cases of enumerations, large numbers, and ids. All other strings are what users have written.
///
/// ```swift
/// let names = ProgramNames()
/// let item = try ProgramNames.$current.withValue(names) { try json.decode(Item.self) }
/// names.contains("title")  // true if an item has a title
/// ```
///
/// The names of a dictionary are not among them, because users may choose them.
package final class ProgramNames: Sendable {
  /// Those that are collected now.
  @TaskLocal package static var current: ProgramNames?

  private let names = Mutex<Set<Text>>([])

  package init() {}

  /// Adds a name.
  package func insert(_ name: Text) { names.withLock { _ = $0.insert(name) } }

  /// Returns whether a string is a name of the program.
  package func contains(_ name: Text) -> Bool { names.withLock { $0.contains(name) } }

  /// Adds the names of members that a type with keys of its own declares.
  func insert<Key: CodingKey>(_ members: [Text: JSONValue], of type: Key.Type) {
    // The keys of a dictionary take any name.
    if Key(stringValue: "\u{0}") != nil || Key(stringValue: "no name of a member") != nil { return }
    for name in members.keys where Key(stringValue: name.string) != nil { insert(name) }
  }

  /// Adds a text if it was decoded as a case of an enumeration that carries nothing and is encoded as this text.
  /// Other cases may hold what a user has written.
  func insert(_ text: Text, for value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, mirror.children.isEmpty,
      let value = value as? any Encodable, (try? JSONValue(encoding: value)) == .string(text)
    else { return }
    insert(text)
  }
}
