import CanonicalJSON

/// Coding of snapshots, so that a state of a screen can have them. Unlike the documents that clients get, it has the
/// generations.
extension Snapshot: Codable {
  private struct Record: Codable {
    var sections: [Section]
    var states: [Text: Text]
  }

  /// Encodes the sections and the states.
  ///
  /// - Throws: `EncodingError` if the snapshot is seen through a ``window``, because it has not all rows.
  public func encode(to encoder: any Encoder) throws {
    guard window == nil else { throw encoder.error(self, "a snapshot that has not all rows") }
    try Record(sections: Array(sections), states: states).encode(to: encoder)
  }

  /// Decodes the sections and the states.
  ///
  /// - Throws: `DecodingError` if ids are not unique or elements cannot be written.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    do throws(SnapshotError) {
      try self.init(states: record.states, sections: record.sections)
    } catch {
      throw decoder.error(error.description)
    }
  }
}

extension Section: Codable {
  private struct Record: Codable {
    var id: Text
    var fields: [Text: JSONValue]
    var generation: Int
    var rows: [Row]
  }

  /// Encodes the id, the fields, the generation and the rows.
  ///
  /// - Throws: `EncodingError` if each snapshot refuses the section or a row of it.
  public func encode(to encoder: any Encoder) throws {
    guard isWritable else { throw encoder.error(self, "a section that cannot be written") }
    try Record(id: id, fields: fields, generation: generation, rows: Array(rows))
      .encode(to: encoder)
  }

  /// Decodes the id, the fields, the generation and the rows.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    self.init(
      id: record.id, fields: record.fields, generation: record.generation, rows: record.rows)
  }
}

extension Row: Codable {
  private struct Record: Codable {
    var id: Text
    var type: Text
    var fields: [Text: JSONValue]
    var generation: Int
  }

  /// Encodes the id, the type, the fields and the generation.
  ///
  /// - Throws: `EncodingError` if each snapshot refuses the row.
  public func encode(to encoder: any Encoder) throws {
    guard isWritable else { throw encoder.error(self, "a row that cannot be written") }
    try Record(id: id, type: type, fields: fields, generation: generation).encode(to: encoder)
  }

  /// Decodes the id, the type, the fields and the generation.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    self.init(
      id: record.id, type: record.type, fields: record.fields, generation: record.generation)
  }
}

extension SectionSnapshot: Codable {
  private struct Item: Codable {
    var item: Row
    var level: Int
    var isExpanded: Bool
  }

  /// Encodes an array of the items, each with its level and whether it is expanded.
  ///
  /// - Throws: `EncodingError` if each snapshot refuses an item.
  public func encode(to encoder: any Encoder) throws {
    try entries.map { Item(item: $0.item, level: $0.level, isExpanded: $0.isExpanded) }
      .encode(to: encoder)
  }

  /// Decodes an array of items.
  ///
  /// - Throws: `DecodingError` if two items have one id, or if an item is more than one level below the item before it.
  public init(from decoder: any Decoder) throws {
    let items = try [Item](from: decoder)
    guard Set(items.map(\.item.id)).count == items.count else {
      throw decoder.error("two items have one id")
    }
    var limit = 0
    for item in items {
      guard 0...limit ~= item.level else { throw decoder.error("an item is below no other one") }
      limit = item.level + 1
    }
    self.init(items.map { ($0.item, $0.level, $0.isExpanded) })
  }
}

extension Encoder {
  fileprivate func error(_ value: Any, _ reason: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }
}

extension Decoder {
  fileprivate func error(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}
