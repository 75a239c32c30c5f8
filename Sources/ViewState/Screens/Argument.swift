public import CanonicalJSON

/// An argument of a command: its name, and the type of its value.
///
/// ```swift
/// Command("play", "Plays a song.", .id("song"), .optional(.integer("volume", 0...100))) {
///   (state: inout State, song, volume) in …
/// }
/// ```
public struct Argument<Value: Sendable>: Sendable {
  /// The members that can have the value, of which only one may be present.
  let alternatives: [(name: Text, type: ValueType<Value>)]
  /// The value if no member is present; `nil` if one is required.
  let absent: Value?

  // The static functions below take a `String`, because implicit members do not compile with a literal of
  // another type.

  /// Declares an argument with a type of values.
  public init(_ name: Text, _ type: ValueType<Value>) {
    alternatives = [(name, type)]
    absent = type.absent
  }

  private init(_ alternatives: [(name: Text, type: ValueType<Value>)], absent: Value?) {
    self.alternatives = alternatives
    self.absent = absent
  }

  /// Declares an argument that is one of two members, of which exactly one is required. If the argument is optional,
  /// at most one may be present.
  ///
  /// ```swift
  /// static let place = Argument<Place>.either(
  ///   "before", ResourceID.valueType.map("", read: { .before($0) }, write: \.before),
  ///   or: "after", ResourceID.valueType.map("", read: { .after($0) }, write: \.after))
  /// ```
  ///
  /// - Parameters:
  ///   - first: The name of the first member.
  ///   - firstType: The type of the first member, which writes `nil` for a value of the second.
  ///   - second: The name of the second member.
  ///   - secondType: The type of the second member, which writes `nil` for a value of the first.
  public static func either(
    _ first: Text, _ firstType: ValueType<Value>, or second: Text, _ secondType: ValueType<Value>
  ) -> Argument {
    Argument([(first, firstType), (second, secondType)], absent: nil)
  }

  func read(_ body: JSONReader) throws(JSONShapeError) -> Value {
    if alternatives.count > 1 { return try readOne(of: body) }
    let (name, type) = alternatives[0]
    return try type.read(name, of: body)
  }

  /// Reads the one of the alternatives that is present.
  ///
  /// A function of its own, so that its values need no room when there is no alternative.
  private func readOne(of body: JSONReader) throws(JSONShapeError) -> Value {
    // Only for an error: a key path of a generic type is made anew each time.
    func names() -> String { alternatives.map(\.name.string).joined(separator: " or ") }
    var found: Value?
    for (name, type) in alternatives {
      guard let member = try body.nullableMember(name) else { continue }
      if found != nil { throw member.error("expected \(names()), not both") }
      found = try type.read(member)
    }
    guard let value = found ?? absent else {
      throw body.error(in: alternatives[0].name, "expected a member \(names())")
    }
    return value
  }

  /// The names under which the argument is read, each with whether it is the id of a resource.
  var names: [(Text, Bool)] {
    let isID = Value.self == ResourceID.self || Value.self == ResourceID?.self
    return alternatives.map { ($0.name, isID) }
  }

  func write(_ value: Value, into members: inout [(key: Text, value: JSONValue)]) {
    for (name, type) in alternatives {
      if let json = type.write(value) { members.append((name, json)) }
    }
  }

  /// Declares an argument with the type of values of a Swift type.
  public static func value(_ name: String, of type: Value.Type = Value.self) -> Argument
  where Value: FieldValue {
    Argument(Text(name), Value.valueType)
  }

  /// Declares an argument that may be left out or `null`: `.optional(.integer("limit"))`.
  public static func optional<Wrapped>(_ argument: Argument<Wrapped>) -> Argument
  where Value == Wrapped? {
    Argument(argument.alternatives.map { ($0.name, $0.type.optional) }, absent: .some(nil))
  }

  /// Returns the same argument with a sentence for client developers in its JSON schema.
  public func described(_ summary: String) -> Argument {
    Argument(alternatives.map { ($0.name, $0.type.described(summary)) }, absent: absent)
  }
}

/// The JSON schema of an object whose members are arguments.
struct ArgumentMembers {
  private(set) var schemas: [Text: JSONValue] = [:]
  private(set) var required: [Text] = []
  /// The lists of members of which only one may be present, and whether one is required.
  private var choices: [(names: [Text], isRequired: Bool)] = []

  mutating func add<Value>(_ argument: Argument<Value>) {
    for (name, type) in argument.alternatives {
      guard schemas[name] == nil else { fatalError("two arguments are named \(name)") }
      schemas[name] = type.inputSchema
    }
    let (names, isRequired) = (argument.alternatives.map(\.name), argument.absent == nil)
    if names.count > 1 {
      choices.append((names, isRequired))
    } else if isRequired {
      required += names
    }
  }

  /// The members of the JSON schema for the lists of which only one member may be present.
  ///
  /// They are written with `not` and `minProperties`, because generators of clients take a union for a type of
  /// its own. If there are optional members too, the schema does not require one of each list.
  var constraints: [Text: JSONValue] {
    var constraints: [Text: JSONValue] = [:]
    let clashes = choices.map { choice -> JSONValue in
      ["required": .array(choice.names.map(JSONValue.string))]
    }
    if !clashes.isEmpty {
      constraints["not"] = clashes.count == 1 ? clashes[0] : ["anyOf": .array(clashes)]
    }
    let needed = choices.filter(\.isRequired).count
    // Plus 1 for the tag.
    if needed > 0 { constraints["minProperties"] = .integer(1 + required.count + needed) }
    return constraints
  }
}

extension JSONValue {
  /// Returns the JSON schema of an object whose members are arguments and a tag, which is required.
  ///
  /// - Parameters:
  ///   - tag: The name of the tag, and its value.
  ///   - arguments: The JSON schemas of the arguments by their names.
  ///   - required: The names of the arguments that cannot be left out.
  ///   - constraints: The members of the schema that bind several arguments.
  static func argumentSchema(
    tag: (name: Text, value: Text), _ arguments: [Text: JSONValue], requiring required: [Text],
    _ constraints: [Text: JSONValue]
  ) -> JSONValue {
    let properties = arguments.merging([tag.name: ["const": .string(tag.value)]]) { $1 }
    let schema: [Text: JSONValue] = [
      "type": "object", "properties": .object(properties),
      "required": .array(([tag.name] + required).map(JSONValue.string)),
      "additionalProperties": false,
    ]
    return .object(schema.merging(constraints) { own, _ in own })
  }
}

extension Argument<Text> {
  /// Declares a text.
  ///
  /// - Parameters:
  ///   - name: The name of the argument.
  ///   - length: The allowed lengths in Unicode scalars; unless given, up to 1,000.
  public static func text(_ name: String, _ length: ClosedRange<Int> = 0...1000) -> Argument {
    Argument(Text(name), .text(length))
  }
}

extension Argument<Int> {
  /// Declares a whole number.
  ///
  /// - Parameters:
  ///   - name: The name of the argument.
  ///   - range: The allowed numbers; unless given, those from -2^53 to 2^53.
  public static func integer(
    _ name: String, _ range: ClosedRange<Int> = JSONValue.interoperableIntegers
  ) -> Argument {
    Argument(Text(name), .integer(range))
  }
}

extension Argument<ResourceID> {
  /// Declares the id of an element of a store.
  public static func id(_ name: String) -> Argument { .value(name) }
}

extension Argument<Bool> {
  /// Declares a value that is true or false.
  public static func boolean(_ name: String) -> Argument { .value(name) }
}
