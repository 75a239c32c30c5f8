import TestSupport
import Testing
import ViewState

@Suite("A list that folds")
struct FoldableTests {
  struct Node: Foldable {
    var name: Int
    var children: [Node] = []
    var isCollapsed = false
  }

  @Test("shows what is not beneath something collapsed or left out, however deep")
  func unfolding() throws {
    try withSeeds(200) { generator in
      var count = 0
      let forest = Self.forest(&generator, depth: 4, &count)
      let isOdd: (Node) -> Bool = { $0.name % 5 != 0 }
      let shown = forest.unfolded(where: isOdd)
      var expected: [[Int]] = []
      for (node, way) in Self.all(forest, beneath: [])
      where isOdd(node) && way.allSatisfy({ isOdd($0) && !$0.isCollapsed }) {
        expected.append([node.name, way.count])
      }
      try require(
        shown.map { [$0.element.name, $0.depth] } == expected, "\(shown) in place of \(expected)")
    }
  }

  /// A tree with one element below the other.
  struct Chain: Foldable {
    let depth: Int
    let isCollapsed = false
    var children: [Chain] { depth == 200_000 ? [] : [Chain(depth: depth + 1)] }
  }

  @Test("has no depth that ends the process")
  func depth() {
    #expect([Chain(depth: 0)].unfolded().last?.depth == 200_000)
  }

  private static func all(_ nodes: [Node], beneath way: [Node]) -> [(Node, [Node])] {
    nodes.flatMap { [($0, way)] + all($0.children, beneath: way + [$0]) }
  }

  private static func forest(
    _ generator: inout SeededGenerator, depth: Int, _ count: inout Int
  ) -> [Node] {
    (0..<generator.number(in: 0...3)).map { _ in
      count += 1
      var node = Node(name: count, isCollapsed: generator.chance(0.3))
      if depth > 0 { node.children = forest(&generator, depth: depth - 1, &count) }
      return node
    }
  }
}
