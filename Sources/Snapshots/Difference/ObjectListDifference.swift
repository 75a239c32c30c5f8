package import CanonicalJSON

/// A JSON object with an id, as an element of a list.
package struct IdentifiedObject: Identifiable, Equatable, Sendable {
  /// A string or an integer. `"1"` and `1` are different ids.
  package let id: JSONValue
  /// The other members.
  package let fields: [Text: JSONValue]

  package init(id: JSONValue, fields: [Text: JSONValue]) {
    self.id = id
    self.fields = fields
  }

  fileprivate var value: JSONValue { .object(fields.merging(["id": id]) { $1 }) }
}

/// The difference of two lists of objects in the forms that clients of any language can apply.
///
///     let difference = ObjectListDifference(from: old, to: new)
///     difference.patch.description  // [{"op":"remove","path":"/1"}]
package struct ObjectListDifference: Sendable {
  private let old: [IdentifiedObject]
  private let new: [IdentifiedObject]
  private let batch: ListBatch

  /// Finds the fewest operations.
  ///
  /// - Precondition: No two objects of a list have the same id.
  /// - Complexity: O(*n* log *n*) expected, where *n* is the size of both lists.
  package init(from old: [IdentifiedObject], to new: [IdentifiedObject]) {
    self.old = old
    self.new = new
    batch = ListBatch(from: old, to: new, by: \.id)
  }

  /// The operations by the rules of ``Changeset``, an object of groups without the empty ones.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the operations.
  package var changeset: JSONValue {
    let groups: [Text: [JSONValue]] = [
      "deletes": batch.deletes.map { ["at": .integer($0), "id": old[$0].id] },
      "inserts": batch.inserts.map { ["at": .integer($0), "element": new[$0].value] },
      "moves": batch.moves.map {
        ["from": .integer($0.from), "id": new[$0.to].id, "to": .integer($0.to)]
      },
      "updates": batch.updates.map { update in
        var members = changes(from: update.from, to: update.to).members
        members["from"] = .integer(update.from)
        members["id"] = new[update.to].id
        members["to"] = .integer(update.to)
        return .object(members)
      },
    ]
    return .object(groups.filter { !$0.value.isEmpty }.mapValues { .array($0) })
  }

  /// The operations one by one: an array of objects whose positions are those in the list as the operations
  /// before have left it.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the size of the operations.
  package var script: JSONValue {
    .array(
      batch.steps.map { step in
        switch step {
        case .delete(let index):
          return ["at": .integer(index), "id": old[index].id, "op": "delete"]
        case .insert(let number, let index):
          return ["at": .integer(index), "element": new[number].value, "op": "insert"]
        case .move(let number, let from, let to):
          return ["from": .integer(from), "id": old[number].id, "op": "move", "to": .integer(to)]
        case .update(let number, let index), .reload(let number, let index):
          var members = changes(from: number, to: index).members
          members["at"] = .integer(index)
          members["id"] = new[index].id
          members["op"] = "update"
          return .object(members)
        }
      })
  }

  /// The operations as a JSON Patch (RFC 6902) of the array, with an operation for each member that is set or
  /// removed.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the size of the operations.
  package var patch: JSONValue {
    .array(
      batch.steps.flatMap { step -> [JSONValue] in
        switch step {
        case .delete(let index):
          return [["op": "remove", "path": Self.pointer(index)]]
        case .insert(let number, let index):
          return [["op": "add", "path": Self.pointer(index), "value": new[number].value]]
        case .move(_, let from, let to):
          return [["from": Self.pointer(from), "op": "move", "path": Self.pointer(to)]]
        case .update(let number, let index), .reload(let number, let index):
          let changes = changes(from: number, to: index)
          return changes.unset.map { ["op": "remove", "path": Self.pointer(index, $0)] }
            + changes.set.sorted { $0.key < $1.key }.map { name, value in
              ["op": "add", "path": Self.pointer(index, name), "value": value]
            }
        }
      })
  }

  private func changes(from oldIndex: Int, to newIndex: Int) -> FieldChanges {
    FieldChanges(from: old[oldIndex].fields, to: new[newIndex].fields)
  }

  private static func pointer(_ index: Int, _ member: Text? = nil) -> JSONValue {
    var pointer = JSONPointer.root.appending(index)
    if let member { pointer = pointer.appending(member) }
    return .string(pointer.description)
  }
}

extension FieldChanges {
  /// The members of an update.
  fileprivate var members: [Text: JSONValue] {
    var members: [Text: JSONValue] = [:]
    if !self.set.isEmpty { members["set"] = .object(self.set) }
    if !unset.isEmpty { members["unset"] = .array(unset.map { .string($0) }) }
    return members
  }
}
