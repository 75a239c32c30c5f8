public import CanonicalJSON
import ViewState

extension FormOperation {
  /// Reads an operation: its name in `operation`, and what it is done with.
  ///
  /// - Throws: `JSONShapeError` for an unknown operation, unknown members, a wrong one, and a weight
  ///   of a row that is given its place.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    let member = try reader.member("operation")
    guard let name = Name(rawValue: try member.string()) else {
      let known = Name.allCases.map(\.rawValue.string).joined(separator: ", ")
      throw member.error("there is no such operation: there are \(known)")
    }
    try reader.rejectUnknownMembers(allowed: Set(name.members).union(["operation"]))
    switch name {
    case .insertBefore: self = .insertBefore(try reader.placedRows(), row: try reader.id("row"))
    case .insertAfter: self = .insertAfter(try reader.placedRows(), row: try reader.id("row"))
    case .insertAtStart: self = .insertAtStart(try reader.placedRows(), try reader.container())
    case .insertAtEnd: self = .insertAtEnd(try reader.placedRows(), try reader.container())
    case .append:
      self = .append(try reader.member("rows").formRows(), try reader.container())
    case .replace:
      self = .replace(try reader.id("row"), with: try reader.member("with").placedRow())
    case .swap: self = .swap(try reader.id("row"), try reader.id("other"))
    case .remove:
      var ids: [ResourceID] = []
      for element in try reader.member("ids").elements() { ids.append(try ResourceID(element)) }
      self = .remove(ids)
    case .clear: self = .clear(try reader.container())
    case .insertSectionBefore:
      self = .insertSectionBefore(
        try FormSection(reader.member("newSection")), section: try reader.id("section"))
    case .insertSectionAfter:
      self = .insertSectionAfter(
        try FormSection(reader.member("newSection")), section: try reader.id("section"))
    case .removeSection: self = .removeSection(try reader.id("section"))
    }
  }
}

extension JSONReader {
  fileprivate func id(_ name: Text) throws(JSONShapeError) -> ResourceID {
    try ResourceID(member(name))
  }

  fileprivate func container() throws(JSONShapeError) -> RowContainer? {
    let (section, group) = (try nullableMember("section"), try nullableMember("group"))
    if let group, section != nil { throw group.error("name a section or a group, not both") }
    if let section { return .section(try ResourceID(section)) }
    return try group.map { (group) throws(JSONShapeError) in .group(try ResourceID(group)) }
  }

  /// Rows whose place is given.
  fileprivate func placedRows() throws(JSONShapeError) -> [FormRow] {
    var rows: [FormRow] = []
    for element in try member("rows").elements() { rows.append(try element.placedRow()) }
    return rows
  }

  fileprivate func placedRow() throws(JSONShapeError) -> FormRow {
    if let weight = try nullableMember("weight") {
      throw weight.error("the row is given a place, which decides its weight")
    }
    return try FormRow(self)
  }
}
