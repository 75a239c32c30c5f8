import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The difference of two lists of objects, in each of its forms.
@Suite struct ObjectListDifferenceTests {
  private static let old: [IdentifiedObject] = [
    .init(id: "a", fields: [:]), .init(id: "b", fields: [:]),
    .init(id: 3, fields: ["n": 1, "x/y": nil]), .init(id: "3", fields: [:]),
  ]
  private static let new: [IdentifiedObject] = [
    .init(id: "x", fields: ["n": 2]), .init(id: "3", fields: [:]), .init(id: "a", fields: [:]),
    .init(id: 3, fields: ["n": [1]]),
  ]

  @Test func `a changeset follows the rules of a diff`() {
    #expect(
      ObjectListDifference(from: Self.old, to: Self.new).changeset.description
        == #"{"deletes":[{"at":1,"id":"b"}],"inserts":[{"at":0,"element":{"id":"x","n":2}}],"moves":[{"from":3,"id":"3","to":1}],"updates":[{"from":2,"id":3,"set":{"n":[1]},"to":3,"unset":["x/y"]}]}"#
    )
    #expect(ObjectListDifference(from: Self.old, to: Self.old).changeset == [:])
  }

  @Test func `a script has the positions of each moment`() {
    #expect(
      ObjectListDifference(from: Self.old, to: Self.new).script.description
        == #"[{"at":1,"id":"b","op":"delete"},{"at":0,"element":{"id":"x","n":2},"op":"insert"},{"from":3,"id":"3","op":"move","to":1},{"at":3,"id":3,"op":"update","set":{"n":[1]},"unset":["x/y"]}]"#
    )
    #expect(ObjectListDifference(from: Self.old, to: Self.old).script == [])
  }

  @Test func `a patch sets and removes members by their escaped names`() {
    #expect(
      ObjectListDifference(from: Self.old, to: Self.new).patch.description
        == #"[{"op":"remove","path":"/1"},{"op":"add","path":"/0","value":{"id":"x","n":2}},{"from":"/3","op":"move","path":"/1"},{"op":"remove","path":"/3/x~1y"},{"op":"add","path":"/3/n","value":[1]}]"#
    )
  }

  @Test func `each form leads from one random list to the other`() throws {
    try withSeeds(400) { random in try ObjectLists(&random).check() }
  }

  @Test(arguments: [31, 32, 33, 1023, 1024, 1025])
  func `each form leads across all sizes`(_ size: Int) throws {
    try withSeeds(1) { random in
      try ObjectLists(&random, oldCount: size, newCount: size + random.number(in: -1...1)).check()
    }
  }

  @Test(.enabled(if: PatchLibrary.python != nil))
  func `another library gives the same results for random patches`() throws {
    var lists: [ObjectLists] = []
    try withSeeds(150) { random in lists.append(ObjectLists(&random)) }
    let results = try PatchLibrary.apply(
      lists.map { ($0.old.document, $0.difference.patch.canonicalBytes()) })
    try #require(results.count == lists.count)
    for (result, lists) in zip(results, lists) {
      #expect(result.canonicalBytes() == lists.new.document)
    }
  }
}

/// Two random lists of objects, with the laws of their difference. Some ids differ in their bytes or their type
/// alone.
struct ObjectLists {
  let old: [IdentifiedObject]
  let new: [IdentifiedObject]
  let difference: ObjectListDifference

  init(_ random: inout SeededGenerator, oldCount: Int? = nil, newCount: Int? = nil) {
    let size = max(oldCount ?? 12, newCount ?? 12)
    let ids: [JSONValue] =
      ["\u{e9}", "e\u{301}", "K", "\u{212a}", "1", 1, -1, ""]
      + (2..<(size + 10)).map { $0.isMultiple(of: 2) ? .integer($0) : .string("\($0)") }
    func list(_ count: Int?) -> [IdentifiedObject] {
      let count = count ?? random.number(in: 0...size)
      return ids.shuffled(using: &random).prefix(count).map { id in
        var fields: [Text: JSONValue] = [:]
        for _ in 0..<random.number(in: 0...3) {
          fields["\(random.text())\(random.pick(["", "/", "~", "~1"]))"] = random.json(depth: 1)
        }
        fields["id"] = nil
        return IdentifiedObject(id: id, fields: fields)
      }
    }
    old = list(oldCount)
    // Some elements are kept as they are.
    let known = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    new = list(newCount).map { random.chance(0.5) ? known[$0.id] ?? $0 : $0 }
    difference = ObjectListDifference(from: old, to: new)
  }

  func check() throws {
    let before = try JSONValue(parsing: old.document)
    let after = try JSONValue(parsing: new.document)
    let patched = try PatchApplier.apply(difference.patch, to: before)
    try require(patched == after, "\(difference.patch) leads to \(patched)")
    let scripted = try Self.performing(difference.script, on: before)
    try require(scripted == after, "\(difference.script) leads to \(scripted)")
    let changed = try Self.applying(difference.changeset, to: before)
    try require(changed == after, "\(difference.changeset) leads to \(changed)")
    let operations = try JSONReader(difference.changeset).object().values.reduce(0) {
      $0 + (try JSONReader($1).elements().count)
    }
    try require(
      try JSONReader(difference.script).elements().count == operations, "other operations")
  }

  /// Performs a script step by step, and checks that the element of each step is there.
  private static func performing(_ script: JSONValue, on list: JSONValue) throws -> JSONValue {
    var elements = try JSONReader(list).elements().map(\.value)
    for step in try JSONReader(script).elements() {
      func take(_ member: Text) throws -> JSONValue {
        let index = try step.member(member).integer()
        try require(elements.indices.contains(index), "\(step.value) is beyond the end")
        let id = try JSONReader(elements[index]).member("id").value
        try require(try step.member("id").value == id, "\(step.value) at \(id)")
        return elements.remove(at: index)
      }
      func place(_ element: JSONValue, _ member: Text) throws {
        let index = try step.member(member).integer()
        try require((0...elements.count).contains(index), "\(step.value) is beyond the end")
        elements.insert(element, at: index)
      }
      switch try step.member("op").string() {
      case "delete": _ = try take("at")
      case "insert": try place(try step.member("element").value, "at")
      case "move": try place(try take("from"), "to")
      case "update": try place(try updated(try take("at"), by: step), "at")
      default: throw LawViolation("an operation that is not known: \(step.value)")
      }
    }
    return .array(elements)
  }

  /// Applies a changeset as the README says: deletions and moves by old positions, insertions and moves by new
  /// ones, then updates.
  private static func applying(_ changeset: JSONValue, to list: JSONValue) throws -> JSONValue {
    let old = try JSONReader(list).elements().map(\.value)
    func group(_ name: Text) throws -> [JSONReader] {
      try JSONReader(changeset).optionalMember(name)?.elements() ?? []
    }
    func expect(_ operation: JSONReader, at member: Text) throws -> Int {
      let index = try operation.member(member).integer()
      try require(
        try JSONReader(old[index]).member("id").value == operation.member("id").value,
        "\(operation.value)")
      return index
    }
    var gone = Set(try group("deletes").map { try expect($0, at: "at") })
    var arrivals: [Int: JSONValue] = [:]
    for insert in try group("inserts") {
      arrivals[try insert.member("at").integer()] = try insert.member("element").value
    }
    for move in try group("moves") {
      let from = try expect(move, at: "from")
      try require(gone.insert(from).inserted, "\(move.value) of an element that is gone")
      arrivals[try move.member("to").integer()] = old[from]
    }
    var rest = old.indices.filter { !gone.contains($0) }.map { old[$0] }.makeIterator()
    var result: [JSONValue] = []
    for index in 0..<(old.count - gone.count + arrivals.count) {
      guard let next = arrivals[index] ?? rest.next() else { throw LawViolation("no element") }
      result.append(next)
    }
    for update in try group("updates") {
      _ = try expect(update, at: "from")
      let to = try update.member("to").integer()
      result[to] = try updated(result[to], by: update)
    }
    return .array(result)
  }

  private static func updated(
    _ element: JSONValue, by update: JSONReader
  ) throws -> JSONValue {
    var members = try JSONReader(element).object()
    try require(members["id"] == update.member("id").value, "\(update.value) at \(element)")
    for name in try update.optionalMember("unset")?.elements() ?? [] {
      try require(members.removeValue(forKey: try name.string()) != nil, "\(update.value)")
    }
    for (name, value) in try update.optionalMember("set")?.object() ?? [:] {
      try require(members.updateValue(value, forKey: name) != value, "\(update.value)")
    }
    return .object(members)
  }
}

extension [IdentifiedObject] {
  /// The list as JSON.
  fileprivate var document: [UInt8] {
    JSONValue.array(map { .object($0.fields.merging(["id": $0.id]) { $1 }) }).canonicalBytes()
  }
}
