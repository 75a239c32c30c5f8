import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@Suite("The items of a section with items below them")
struct SectionSnapshotTests {
  private static func row(_ id: Text) -> Row { Row(id: id, type: "item") }

  /// The outline a (b (c), d), e, of which none is expanded.
  private static func outline() throws -> SectionSnapshot {
    var outline = SectionSnapshot([row("a"), row("e")])
    try outline.append([row("b"), row("d")], to: "a")
    try outline.append([row("c")], to: "b")
    return outline
  }

  private static func ids(_ rows: [Row]) -> String { rows.map(\.id.string).joined() }

  @Test("are asked by the names of a section snapshot")
  func queries() throws {
    var outline = try Self.outline()
    try outline.expand(["a"])
    #expect(Self.ids(outline.items) == "abcde" && Self.ids(outline.rootItems) == "ae")
    #expect(Self.ids(outline.visibleItems) == "abde")
    #expect(["a", "b", "c", "d", "e", "x"].map { outline.level(of: $0) } == [0, 1, 2, 1, 0, nil])
    #expect(outline.parent(of: "c")?.id == "b" && outline.parent(of: "a") == nil)
    #expect(outline.isExpanded("a") == true && outline.isExpanded("b") == false)
    #expect(outline.isVisible("b") == true && outline.isVisible("c") == false)
    #expect(outline.isVisible("x") == nil && outline.isExpanded("x") == nil)
    #expect(outline.index(of: "d") == 3 && outline.contains("c") && !outline.contains("x"))
    #expect(outline.snapshot(of: "a").map { Self.ids($0.items) } == "bcd")
    #expect(outline.snapshot(of: "a")?.level(of: "c") == 1)
    let whole = try #require(outline.snapshot(of: "a", includingParent: true))
    #expect(Self.ids(whole.rootItems) == "a" && Self.ids(whole.visibleItems) == "abd")
    #expect(outline.snapshot(of: "x") == nil && !outline.isFlat)
  }

  @Test("keep what is expanded below one that is collapsed")
  func folding() throws {
    var outline = try Self.outline()
    try outline.expand(["a", "b"])
    #expect(Self.ids(outline.visibleItems) == "abcde")
    try outline.collapse(["a"])
    #expect(Self.ids(outline.visibleItems) == "ae")
    try outline.expand(["a"])
    #expect(Self.ids(outline.visibleItems) == "abcde")
    // One that loses all items below it is not expanded any more.
    outline.delete(["c"])
    try outline.append([Self.row("f")], to: "b")
    #expect(Self.ids(outline.visibleItems) == "abde")
    try outline.expand(["e"])
    #expect(outline.isExpanded("e") == false)
  }

  @Test("are inserted and deleted with all below them")
  func operations() throws {
    var outline = try Self.outline()
    let part = try #require(outline.snapshot(of: "b", includingParent: true))
    #expect(outline.delete(["b", "c", "x"]) == 2)
    #expect(Self.ids(outline.items) == "ade")
    // One above another that goes first is deleted, too; one below is gone already.
    var copy = try Self.outline()
    #expect(copy.delete(["c", "a", "c"]) == 1 && Self.ids(copy.items) == "e")
    copy = try Self.outline()
    #expect(copy.delete(["a", "c", "b"]) == 2 && Self.ids(copy.items) == "e")
    try outline.insert(part, after: "a")
    #expect(Self.ids(outline.rootItems) == "abe" && outline.level(of: "c") == 1)
    outline.delete(["b"])
    try outline.insert(part, before: "d")
    #expect(Self.ids(outline.items) == "abcde" && outline.level(of: "c") == 2)
    #expect(outline == (try Self.outline()))
    try outline.replace([Row(id: "b", type: "other")])
    #expect(outline.entry(of: "b")?.item.type == "other" && outline.level(of: "c") == 2)
    outline.delete(["a"])
    #expect(outline == SectionSnapshot([Self.row("e")]) && outline.isFlat)
  }

  @Test("are refused with their ids, and stay as they were")
  func refusals() throws {
    var outline = try Self.outline()
    let before = outline
    #expect(throws: SnapshotOperationError.unknownItems(["x", "y"])) {
      try outline.expand(["a", "x", "y"])
    }
    #expect(throws: SnapshotOperationError.unknownItems(["x"])) { try outline.collapse(["x"]) }
    #expect(throws: SnapshotOperationError.unknownItems(["x"])) {
      try outline.append([Self.row("n")], to: "x")
    }
    #expect(throws: SnapshotOperationError.unknownItems(["x"])) {
      try outline.insert(SectionSnapshot([Self.row("n")]), before: "x")
    }
    #expect(throws: SnapshotOperationError.unknownItems(["x"])) {
      try outline.replace([Self.row("b"), Self.row("x")])
    }
    #expect(throws: SnapshotOperationError.invalid(SnapshotError(duplicateRowIDs: ["c"]))) {
      try outline.append([Self.row("n"), Self.row("c")])
    }
    #expect(throws: SnapshotOperationError.invalid(SnapshotError(duplicateRowIDs: ["n", "c"]))) {
      try outline.append(["n", "n", "c", "n"].map { Self.row($0) })
    }
    #expect(outline == before)
  }

  @Test("are visible exactly if all items above them are expanded")
  func visibility() throws {
    try withSeeds(200) { random in
      var (items, level) = ([(item: Row, level: Int, isExpanded: Bool)](), 0)
      for number in 0..<random.number(in: 0...20) {
        items.append((Self.row("\(number)"), level, random.chance(0.7)))
        level = random.number(in: 0...level + 1)
      }
      let outline = SectionSnapshot(items)
      let visible = outline.items.filter { outline.isVisible($0.id) == true }
      try require(outline.visibleItems == visible, "\(outline)")
    }
  }

  @Test("fold in a chain of any length")
  func depth() throws {
    let chain = (0..<20_000).map { (item: Self.row("\($0)"), level: $0, isExpanded: true) }
    var outline = SectionSnapshot(chain)
    #expect(outline.visibleItems.count == 20_000)
    try outline.collapse(["10000"])
    #expect(outline.visibleItems.count == 10_001)
    #expect(outline.isVisible("19999") == false)
  }
}
