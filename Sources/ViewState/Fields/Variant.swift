public import CanonicalJSON

/// One of several kinds of objects, told apart by the name in one of their members.
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
  /// What tells the kind.
  public let name: Text
  /// One sentence for client developers; empty unless given.
  public private(set) var summary = ""
  fileprivate let members: ArgumentMembers
  fileprivate let read: @Sendable (JSONReader) throws(JSONShapeError) -> Value

  /// Describes a kind of objects by its name and its other members.
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

  /// The same kind with a sentence for client developers in its schema.
  public func described(_ summary: String) -> Variant {
    var variant = self
    variant.summary = summary
    return variant
  }

  fileprivate func schema(_ tag: Text) -> JSONValue {
    let schema = members.schema(with: tag, ["const": .string(name)])
    return summary.isEmpty
      ? schema : schema.mergePatched(with: ["description": .string(summary)])
  }
}

extension ValueType {
  /// An object of one of several kinds. Unknown members are refused.
  ///
  /// - Parameters:
  ///   - variants: The variants, told apart by the tag.
  ///   - tag: The member that has the name of the kind.
  ///   - write: Gives what is read as an equal value.
  /// - Precondition: The names differ.
  public static func variants(
    _ tag: Text, _ variants: [Variant<Value>], write: @escaping @Sendable (Value) -> JSONValue
  ) -> ValueType {
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
