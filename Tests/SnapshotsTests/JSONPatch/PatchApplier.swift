import CanonicalJSON
import TestSupport

/// An applier of JSON Patch that follows the text of RFC 6902 and refuses each error it defines. It
/// shares no code with the writer that it checks.
struct PatchApplier {
  private(set) var document: JSONValue

  /// Returns the document after all operations of a patch.
  ///
  /// - Throws: ``LawViolation`` for the first operation that fails.
  static func apply(_ patch: JSONValue, to document: JSONValue) throws -> JSONValue {
    guard case .array(let operations) = patch else { throw LawViolation("no array") }
    var applier = PatchApplier(document: document)
    for operation in operations { try applier.perform(operation) }
    return applier.document
  }

  private mutating func perform(_ operation: JSONValue) throws {
    guard case .object(var members) = operation else { throw LawViolation("no object") }
    func take(_ name: Text) throws -> JSONValue {
      guard let value = members.removeValue(forKey: name) else {
        throw LawViolation("no member \(name) in \(operation)")
      }
      return value
    }
    func takeTokens(_ name: Text) throws -> [Text] {
      guard case .string(let text) = try take(name), let pointer = JSONPointer(text.string) else {
        throw LawViolation("no pointer \(name) in \(operation)")
      }
      return pointer.tokens
    }
    do {
      let path = try takeTokens("path")
      switch try take("op") {
      case "test":
        let value = try take("value")
        try require(document.value(at: JSONPointer(tokens: path)) == value, "the test fails")
      case "add":
        try edit(path, .add(try take("value")))
      case "remove":
        _ = try edit(path, .remove)
      case "replace":
        try edit(path, .replace(try take("value")))
      case "move":
        let from = try takeTokens("from")
        try require(
          !path.starts(with: from) || path == from, "a value is moved into itself")
        guard let value = try edit(from, .remove) else { throw LawViolation("nothing removed") }
        try edit(path, .add(value))
      default:
        throw LawViolation("an operation that is not known")
      }
      try require(members.isEmpty, "members that nobody reads")
    } catch {
      throw LawViolation("\(error): \(operation)")
    }
  }

  private enum Edit {
    case add(JSONValue)
    case remove
    case replace(JSONValue)
  }

  @discardableResult
  private mutating func edit(_ tokens: [Text], _ edit: Edit) throws -> JSONValue? {
    guard !tokens.isEmpty else {
      let old = document
      switch edit {
      case .add(let value), .replace(let value): document = value
      case .remove: throw LawViolation("the whole document is removed")
      }
      return old
    }
    return try Self.edit(&document, tokens[...], edit)
  }

  /// Edits below a value, and returns the previous value at the place.
  private static func edit(
    _ value: inout JSONValue, _ tokens: ArraySlice<Text>, _ edit: Edit
  ) throws -> JSONValue? {
    let token = tokens[tokens.startIndex]
    let rest = tokens.dropFirst()
    switch value {
    case .object(var members):
      value = .null
      defer { value = .object(members) }
      if rest.isEmpty, case .add(let new) = edit {
        return members.updateValue(new, forKey: token)
      }
      try require(members[token] != nil, "there is no member \(token)")
      if !rest.isEmpty { return try Self.edit(&members[token]!, rest, edit) }
      let old = members.removeValue(forKey: token)
      if case .replace(let new) = edit { members[token] = new }
      return old
    case .array(var elements):
      value = .null
      defer { value = .array(elements) }
      guard let index = Int(token.string), Text("\(index)") == token, index >= 0 else {
        throw LawViolation("\(token) is no index")
      }
      if rest.isEmpty, case .add(let new) = edit {
        try require(index <= elements.count, "\(index) is beyond the end")
        elements.insert(new, at: index)
        return nil
      }
      try require(index < elements.count, "there is no element \(index)")
      if !rest.isEmpty { return try Self.edit(&elements[index], rest, edit) }
      let old = elements[index]
      switch edit {
      case .replace(let new): elements[index] = new
      default: elements.remove(at: index)
      }
      return old
    default:
      throw LawViolation("a step into a scalar at \(token)")
    }
  }
}
