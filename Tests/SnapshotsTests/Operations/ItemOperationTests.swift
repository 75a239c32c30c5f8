import CanonicalJSON
import Snapshots
import Testing

/// The operations on items: at the start, in the middle and at the end, across sections, and
/// refused.
@Suite struct ItemOperationTests {
  typealias Edit = @Sendable (inout Snapshot) throws -> Void

  /// An operation on `a: 1 2 3 | b: 4 5 | c:`, and its result or the error.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Result<String, SnapshotOperationError>
    let edit: Edit

    init(_ name: String, _ expected: String, _ edit: @escaping Edit) {
      testDescription = name
      self.expected = .success(expected)
      self.edit = edit
    }

    init(_ name: String, refused error: SnapshotOperationError, _ edit: @escaping Edit) {
      testDescription = name
      expected = .failure(error)
      self.edit = edit
    }
  }

  static let start = OperationFixture.snapshot("a: 1 2 3 | b: 4 5 | c:")

  private static func rows(_ ids: String...) -> [Row] { ids.map { OperationFixture.row($0) } }

  private static func duplicates(_ ids: Text...) -> SnapshotOperationError {
    .invalid(SnapshotError(duplicateRowIDs: ids))
  }

  static let cases: [Case] = [
    Case("append to the last section", "a: 1 2 3 | b: 4 5 | c: 8 9") {
      try $0.appendItems(rows("8", "9"))
    },
    Case("append to a section", "a: 1 2 3 8 9 | b: 4 5 | c:") {
      try $0.appendItems(rows("8", "9"), toSection: "a")
    },
    Case("append nothing", "a: 1 2 3 | b: 4 5 | c:") { try $0.appendItems([], toSection: "b") },
    Case("append to an unknown section", refused: .unknownSections(["z"])) {
      try $0.appendItems(rows("8"), toSection: "z")
    },
    Case("append ids that are there", refused: duplicates("1", "5")) {
      try $0.appendItems(rows("1", "8", "5"))
    },
    Case("append one id twice", refused: duplicates("8")) {
      try $0.appendItems(rows("8", "8"))
    },
    Case("insert before the first", "a: 8 9 1 2 3 | b: 4 5 | c:") {
      try $0.insertItems(rows("8", "9"), beforeItem: "1")
    },
    Case("insert before one in the middle", "a: 1 8 9 2 3 | b: 4 5 | c:") {
      try $0.insertItems(rows("8", "9"), beforeItem: "2")
    },
    Case("insert before the last", "a: 1 2 3 | b: 4 8 5 | c:") {
      try $0.insertItems(rows("8"), beforeItem: "5")
    },
    Case("insert after the first", "a: 1 8 2 3 | b: 4 5 | c:") {
      try $0.insertItems(rows("8"), afterItem: "1")
    },
    Case("insert after the last", "a: 1 2 3 | b: 4 5 8 9 | c:") {
      try $0.insertItems(rows("8", "9"), afterItem: "5")
    },
    Case("insert before an unknown item", refused: .unknownItems(["7"])) {
      try $0.insertItems(rows("8"), beforeItem: "7")
    },
    Case("insert after an unknown item", refused: .unknownItems(["7"])) {
      try $0.insertItems(rows("8"), afterItem: "7")
    },
    Case("insert an id that is there", refused: duplicates("4")) {
      try $0.insertItems(rows("8", "4"), afterItem: "1")
    },
    Case("delete the first, one in the middle and the last", "a: 2 | b: 4 | c:") {
      #expect($0.deleteItems(["5", "1", "3"]) == 0)
    },
    Case("delete neighbours", "a: 1 | b: 4 5 | c:") { #expect($0.deleteItems(["3", "2"]) == 0) },
    Case("delete unknown ids, which are counted", "a: 1 3 | b: 4 5 | c:") {
      #expect($0.deleteItems(["7", "2", "2", "a"]) == 3)
    },
    Case("delete all", "a: | b: | c:") { $0.deleteAllItems() },
    Case("move the first before the last", "a: 2 1 3 | b: 4 5 | c:") {
      try $0.moveItem("1", beforeItem: "3")
    },
    Case("move the first after the last", "a: 2 3 1 | b: 4 5 | c:") {
      try $0.moveItem("1", afterItem: "3")
    },
    Case("move the last before the first", "a: 3 1 2 | b: 4 5 | c:") {
      try $0.moveItem("3", beforeItem: "1")
    },
    Case("move the last after the first", "a: 1 3 2 | b: 4 5 | c:") {
      try $0.moveItem("3", afterItem: "1")
    },
    Case("move to where it is", "a: 1 2 3 | b: 4 5 | c:") {
      try $0.moveItem("2", beforeItem: "3")
      try $0.moveItem("2", afterItem: "1")
    },
    Case("move before an item of another section", "a: 1 3 | b: 2 4 5 | c:") {
      try $0.moveItem("2", beforeItem: "4")
    },
    Case("move after an item of another section", "a: 1 2 3 4 | b: 5 | c:") {
      try $0.moveItem("4", afterItem: "3")
    },
    Case("move an unknown item", refused: .unknownItems(["7"])) {
      try $0.moveItem("7", beforeItem: "1")
    },
    Case("move to an unknown item", refused: .unknownItems(["7"])) {
      try $0.moveItem("1", afterItem: "7")
    },
    Case("move what is unknown to what is", refused: .unknownItems(["7", "a"])) {
      try $0.moveItem("7", afterItem: "a")
    },
    Case("move to itself", refused: .ownAnchor("1")) { try $0.moveItem("1", afterItem: "1") },
    Case("reload items, also of another type", "a: 1=x 2 3 | b: 4 5!q | c:") {
      try $0.reloadItems([OperationFixture.row("1=x"), OperationFixture.row("5!q")])
    },
    Case("reload unknown items", refused: .unknownItems(["7", "8"])) {
      try $0.reloadItems(rows("7", "1", "8"))
    },
    Case("reload one item twice", refused: duplicates("1")) {
      try $0.reloadItems(rows("1", "2", "1"))
    },
    Case("reconfigure items", "a: 1=x 2 3=y | b: 4 5 | c:") {
      try $0.reconfigureItems([OperationFixture.row("3=y"), OperationFixture.row("1=x")])
    },
    Case("reconfigure to another type", refused: .changedTypes(["5"])) {
      try $0.reconfigureItems([OperationFixture.row("1=x"), OperationFixture.row("5!q")])
    },
    Case("reconfigure unknown items", refused: .unknownItems(["7"])) {
      try $0.reconfigureItems(rows("1", "7"))
    },
  ]

  @Test(arguments: cases)
  func `an operation gives its result, or is refused and changes nothing`(_ operation: Case) throws
  {
    try OperationFixture.check(operation.edit, on: Self.start, leadTo: operation.expected)
  }

  @Test func `items cannot be appended if there is no section`() {
    var snapshot = Snapshot.empty
    #expect(throws: SnapshotOperationError.noSection) {
      try snapshot.appendItems([Row(id: "1", type: "t")])
    }
  }

  @Test func `queries find sections and items by id`() {
    let snapshot = Self.start
    #expect(snapshot.numberOfItems == 5 && snapshot.numberOfSections == 3)
    #expect(snapshot.sectionIdentifiers == ["a", "b", "c"])
    #expect(snapshot.itemIdentifiers == ["1", "2", "3", "4", "5"])
    #expect(snapshot.itemIdentifiers(inSection: "b") == ["4", "5"])
    #expect(snapshot.itemIdentifiers(inSection: "c") == [])
    #expect(snapshot.itemIdentifiers(inSection: "z") == nil)
    #expect(snapshot.numberOfItems(inSection: "a") == 3)
    #expect(snapshot.numberOfItems(inSection: "z") == nil)
    #expect(snapshot.sectionIdentifier(containingItem: "4") == "b")
    #expect(snapshot.sectionIdentifier(containingItem: "a") == nil)
    #expect(snapshot.index(ofItem: "1") == 0 && snapshot.index(ofItem: "5") == 4)
    #expect(snapshot.index(ofItem: "7") == nil)
    #expect(snapshot.index(ofSection: "c") == 2)
  }

  @Test func `an operation that changes nothing gives the same snapshot`() throws {
    var snapshot = Self.start
    try snapshot.reconfigureItems([OperationFixture.row("1")])
    snapshot.deleteItems(["7"])
    snapshot.deleteSections(["z"])
    #expect(snapshot.difference(from: Self.start).isEmpty && snapshot == Self.start)
  }

  @Test func `errors name the ids in one sentence`() {
    let errors: [SnapshotOperationError] = [
      .unknownSections(["a"]), .unknownItems(["1"]), Self.duplicates("2"), .noSection,
      .ownAnchor("3"), .anchorBelow("3", anchor: "5"), .changedTypes(["4"]),
    ]
    #expect(
      errors.map(\.description) == [
        #"there are no sections ["a"]"#, #"there are no items ["1"]"#,
        #"not unique: row ids ["2"]"#, "there is no section to append to",
        #""3" cannot go before or after itself"#,
        #""3" cannot go before or after "5", which is below it"#,
        #"the items ["4"] cannot change their type without a reload"#,
      ])
  }

  @Test func `errors name ten ids, and how many others there are`() {
    func ids(_ count: Int) -> [Text] { (0..<count).map { "\($0)" } }
    let ten = #"["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]"#
    let all = SnapshotError(
      duplicateSectionIDs: ids(11), duplicateRowIDs: ids(12), unwritableRowIDs: ids(13))
    let errors: [SnapshotOperationError] = [
      .unknownItems(ids(10) + ids(10)), .unknownItems(ids(11)), .unknownSections(ids(70_000)),
      .changedTypes(ids(12)), .invalid(all),
    ]
    #expect(
      errors.map(\.description) == [
        "there are no items \(ten)", "there are no items \(ten) and 1 other",
        "there are no sections \(ten) and 69990 others",
        "the items \(ten) and 2 others cannot change their type without a reload",
        "not unique: section ids \(ten) and 1 other, row ids \(ten) and 2 others; "
          + "with a reserved field, a number that JSON cannot represent or more than 512 levels: "
          + "row ids \(ten) and 3 others",
      ])
  }
}
