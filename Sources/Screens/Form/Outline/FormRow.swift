import CanonicalJSON
public import ViewState

/// A row of a form with those beneath it: its generator does all that is special to its kind.
public struct FormRow: Sendable {
  /// Describes the row.
  var generator: any RowGenerator
  /// The rows beneath it, in the order of their weights.
  public internal(set) var children: [FormRow]

  var id: ResourceID { generator.frame.id }
  var weight: Int { generator.frame.weight }
}

extension FormRow: Equatable {
  public static func == (left: FormRow, right: FormRow) -> Bool {
    left.generator.isEqual(to: right.generator) && left.children == right.children
  }
}

extension FormRow: Foldable {
  public var isCollapsed: Bool { generator.isCollapsed }
}

extension FormRow {
  /// How deep rows may stand in groups.
  static let deepest = 8

  /// Reads a row with those beneath it, which stay in the order in which they were written.
  ///
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, and rows that stand too deep.
  init(_ reader: JSONReader, depth: Int = 0) throws(JSONShapeError) {
    generator = try RowKinds.generator(reader)
    children = []
    guard let list = try reader.nullableMember("rows") else { return }
    guard depth < Self.deepest else {
      throw list.error("groups stand in at most \(Self.deepest) others")
    }
    children = try list.formRows(depth: depth + 1)
  }

  /// The row as `init(_:depth:)` reads it.
  var json: JSONValue {
    var members = generator.json
    if !children.isEmpty { members["rows"] = .array(children.map(\.json)) }
    return .object(members)
  }

  /// The row with those beneath it in the order of their weights.
  var sorted: FormRow { FormRow(generator: generator, children: children.sortedByWeight) }

  /// How many rows deep it goes: 0 where nothing stands beneath it.
  var height: Int { children.map { $0.height + 1 }.max() ?? 0 }
}

/// As its description, what became of it, and the rows beneath it.
extension FormRow: Codable {
  private enum CodingKeys: CodingKey {
    case description
    case state
    case rows
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    generator = try RowKinds.generator(
      JSONReader(from: container.superDecoder(forKey: .description)))
    try generator.decodeState(from: container.superDecoder(forKey: .state))
    children = try container.decode([FormRow].self, forKey: .rows)
    guard children.isEmpty || type(of: generator).holdsRows else {
      throw DecodingError.dataCorruptedError(
        forKey: .rows, in: container, debugDescription: "only a group holds rows")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSONValue.object(generator.json), forKey: .description)
    try generator.encodeState(to: container.superEncoder(forKey: .state))
    try container.encode(children, forKey: .rows)
  }
}

extension JSONReader {
  /// A list of rows, in the order in which they are written.
  func formRows(depth: Int = 0) throws(JSONShapeError) -> [FormRow] {
    var rows: [FormRow] = []
    for element in try elements() { rows.append(try FormRow(element, depth: depth)) }
    return rows
  }
}

extension [FormRow] {
  /// The rows in the order of their weights; those of one weight stay in their order.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows, those beneath them included.
  var sortedByWeight: [FormRow] {
    // The standard library's sort keeps the order of equals, but does not promise it.
    map(\.sorted).enumerated()
      .sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }
      .map(\.element)
  }

  /// How many rows these are, those beneath them included.
  var rowCount: Int { reduce(0) { $0 + 1 + $1.children.rowCount } }

  /// Where a row of a weight goes that comes last: behind all that are not heavier.
  ///
  /// - Complexity: O(log *n*).
  func place(forWeight weight: Int) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].weight <= weight { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
