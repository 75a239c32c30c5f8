import Synchronization

/// Collects the strings of documents that the program gives a meaning, while it decodes them: the names of members,
/// the cases of enumerations, large numbers, and ids. All other strings are what users have written.
///
/// ```swift
/// let names = DeclaredNames()
/// let item = try DeclaredNames.$current.withValue(names) { try json.decode(Item.self) }
/// names.contains("title")  // true if an item has a title
/// ```
///
/// The names of a dictionary are not among them, because users may choose them.
package final class DeclaredNames: Sendable {
  /// Those that are collected now.
  @TaskLocal package static var current: DeclaredNames?

  private let names = Mutex<Set<Text>>([])
  /// The types whose schemas were searched.
  private let types = Mutex<Set<ObjectIdentifier>>([])

  package init() {}

  /// Adds a name.
  package func insert(_ name: Text) { names.withLock { _ = $0.insert(name) } }

  /// Returns whether a string is a name of the program.
  package func contains(_ name: Text) -> Bool { names.withLock { $0.contains(name) } }

  /// Adds the names in the JSON schemas of a type that fields read, once for each type.
  package func insertNames(of type: Any.Type, in schemas: () -> JSONValue) {
    if types.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) { insertNames(in: schemas()) }
  }

  /// Adds the names of members in JSON schemas, and the values that schemas list.
  package func insertNames(in schemas: JSONValue) {
    switch schemas {
    case .array(let elements): for element in elements { insertNames(in: element) }
    case .object(let members):
      for (name, value) in members {
        switch name {
        case "example", "examples", "default": break
        case "properties":
          // Of these, each name is that of a member, also `default`.
          guard case .object(let properties) = value else { break }
          for (property, schema) in properties {
            insert(property)
            insertNames(in: schema)
          }
        case "enum", "const": insertTexts(of: value)
        default: insertNames(in: value)
        }
      }
    case .string, .null, .bool, .integer, .number: break
    }
  }

  private func insertTexts(of value: JSONValue) {
    switch value {
    case .string(let text): insert(text)
    case .array(let elements): for element in elements { insertTexts(of: element) }
    case .object(let members):
      for (name, value) in members {
        insert(name)
        insertTexts(of: value)
      }
    case .null, .bool, .integer, .number: break
    }
  }

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
