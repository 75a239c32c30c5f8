import CanonicalJSON
import ViewState

/// The kinds of rows that a form can have. A new one is one line here.
enum RowKinds {
  static let all: [any RowGenerator.Type] = [
    HeaderGenerator.self,
    TextGenerator.self,
    PhoneGenerator.self,
    DateGenerator.self,
    DropdownGenerator.self,
    SwitchGenerator.self,
    TaxNumberGenerator.self,
    ButtonGenerator.self,
    GroupGenerator.self,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

  /// Reads a row without those beneath it.
  ///
  /// - Throws: `JSONShapeError` for an unknown kind, unknown members and a wrong one.
  static func generator(_ reader: JSONReader) throws(JSONShapeError) -> any RowGenerator {
    let member = try reader.member("kind")
    guard let kind = byName[try member.string()] else {
      throw member.error("there are no rows of this kind")
    }
    var members = RowFrame.members.union(kind.schema.keys)
    if kind.holdsRows { members.insert("rows") }
    try reader.rejectUnknownMembers(allowed: members)
    return try kind.init(reader, frame: RowFrame(reader))
  }
}

extension RowGenerator {
  /// The row's description, without the rows beneath it.
  var json: [Text: JSONValue] {
    configuration.merging(frame.json) { $1 }.merging(["kind": .string(Self.kind)]) { $1 }
  }

  var id: ResourceID { frame.id }

  func isEqual(to other: any RowGenerator) -> Bool {
    guard let other = other as? Self else { return false }
    return self == other
  }

  /// Takes over what the user did with a row of the same kind.
  ///
  /// - Returns: whether it is of the same kind.
  mutating func adopt(any old: any RowGenerator, _ context: inout RowContext) -> Bool {
    guard let old = old as? Self else { return false }
    adopt(old, &context)
    return true
  }
}
