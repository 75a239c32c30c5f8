/// The nodes of one kind that two revisions of a snapshot differ in, told apart by identity: what
/// an index must learn.
struct NodeChanges<Element: TreeElement> {
  typealias Node = TreeNode<Element>

  private(set) var oldOnly: [Node] = []
  private(set) var newOnly: [Node] = []

  init() {}

  init(of alignment: TreeAlignment<Element>) {
    append(alignment)
  }

  mutating func append(_ alignment: TreeAlignment<Element>) {
    oldOnly += alignment.oldOnly
    newOnly += alignment.newOnly
  }

  /// Pairs the two states of the nodes that changed.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of nodes.
  func paired() -> [NodeChange<Element>] {
    // One edit changes a handful of nodes, for which a table is not worth its making.
    if oldOnly.count <= 8 && newOnly.count <= 8 {
      return newOnly.map { node in
        NodeChange(old: oldOnly.first { $0.identity == node.identity }, new: node)
      }
        + oldOnly.lazy.filter { node in !newOnly.contains { $0.identity == node.identity } }
        .map { NodeChange(old: $0, new: nil) }
    }
    var olds: [NodeIdentity: Node] = [:]
    olds.reserveCapacity(oldOnly.count)
    for node in oldOnly { olds[node.identity] = node }
    var changes = newOnly.map { NodeChange(old: olds.removeValue(forKey: $0.identity), new: $0) }
    for node in olds.values { changes.append(NodeChange(old: node, new: nil)) }
    return changes
  }
}
