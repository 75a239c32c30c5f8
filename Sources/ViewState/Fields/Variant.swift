public import CanonicalJSON

/// One of several kinds of objects. One member of the object, the tag, has the name of the kind as its value.
///
/// ```swift
/// enum Shape { case circle(Int), rectangle(Int, Int) }
///
/// let shape = ValueType<Shape>.variants(
///   "shape",
///   [
///     Variant("circle", .integer("radius")) { .circle($0) },
///     Variant("rectangle", .integer("width"), .integer("height")) { .rectangle($0, $1) },
///   ],
///   write: \.json)
/// // reads {"shape": "circle", "radius": 2}
/// ```
public struct Variant<Value: Sendable>: Sendable {
  /// The name of the kind, which is the value of the tag.
  public let name: Text
  /// One sentence on the kind, for client developers; empty unless given.
  public private(set) var summary = ""
  fileprivate let members: ArgumentMembers
  fileprivate let read: @Sendable (JSONReader) throws(JSONShapeError) -> Value

  /// Declares a kind of objects.
  ///
  /// - Parameters:
  ///   - name: The name of the kind.
  ///   - arguments: The members beside the tag.
  ///   - make: Makes the value from the values of the members.
  public init<each Member: Sendable>(
    _ name: Text, _ arguments: repeat Argument<each Member>,
    make: @escaping @Sendable (repeat each Member) -> Value
  ) {
    var members = ArgumentMembers()
    for argument in repeat each arguments { members.add(argument) }
    self.name = name
    self.members = members
    read = { (object) throws(JSONShapeError) in
      make(repeat try (each arguments).read(object))
    }
  }

  /// Returns the same kind with a sentence for client developers in its JSON schema.
  public func described(_ summary: String) -> Variant {
    var variant = self
    variant.summary = summary
    return variant
  }

  fileprivate func schema(_ tag: Text) -> JSONValue {
    let schema = JSONValue.argumentSchema(
      tag: (tag, name), members.schemas, requiring: members.required.sorted(), members.constraints)
    return summary.isEmpty
      ? schema : schema.mergePatched(with: ["description": .string(summary)])
  }
}

extension ValueType {
  /// Returns the type of objects of several kinds. Unknown members are refused.
  ///
  /// - Parameters:
  ///   - tag: The name of the member with the name of the kind.
  ///   - variants: The kinds.
  ///   - write: Returns JSON that is read as an equal value.
  /// - Precondition: The names of the kinds differ, and no kind has a member that is named like the tag.
  public static func variants(
    _ tag: Text, _ variants: [Variant<Value>], write: @escaping @Sendable (Value) -> JSONValue
  ) -> ValueType {
    for variant in variants where variant.members.schemas[tag] != nil {
      fatalError("\(variant.name) has a member named \(tag), where its own name belongs")
    }
    let known = Dictionary(uniqueKeysWithValues: variants.map { ($0.name, $0) })
    let names = variants.map(\.name.string).joined(separator: ", ")
    return ValueType(
      schema: ["oneOf": .array(variants.map { $0.schema(tag) })],
      read: { (json) throws(JSONShapeError) in
        let name = try json.member(tag)
        guard let variant = known[try name.string()] else {
          throw name.error("there is no such \(tag): there are \(names)")
        }
        try json.rejectUnknownMembers(allowed: Set(variant.members.schemas.keys).union([tag]))
        return try variant.read(json)
      }, write: write)
  }
}
