import CanonicalJSON
import HashTreeCollections

/// Finds the sections and rows of a snapshot by their ids.
///
/// It is persistent as the trees are, and most changes leave it as it is: it says of an element
/// only in which leaf it stands and of a node only which one is its parent, by their identities,
/// which changed copies keep. An element's position is found by climbing to the root and then
/// coming down again along the same identities, counting what stands to the left. So an insertion
/// moves all that follow without touching their entries, as order-maintenance labels would do
/// (Dietz and Sleator, 1987), and there is no label space to run out: entries change only for
/// what a leaf or a branch hands to another one, O(1) amortised for each insertion or removal, as
/// a node of *b* slots splits or merges at most once in *b*/4 of them.
///
/// The parent of the root of a section's rows is the leaf in which the section stands, so that the
/// trees of all sections hang in one.
struct SnapshotIndex: Sendable {
  /// The sections that are indexed.
  let sections: PersistentSequence<Section>
  /// The leaf of each section and of each row.
  let sectionLeaves: Leaves
  let rowLeaves: Leaves
  /// The node above each node but the root.
  let parents: Parents

  typealias Leaves = TreeDictionary<Identifier, NodeIdentity>
  typealias Parents = TreeDictionary<NodeIdentity, NodeIdentity>

  init(
    sections: PersistentSequence<Section>, sectionLeaves: Leaves, rowLeaves: Leaves,
    parents: Parents
  ) {
    self.sections = sections
    self.sectionLeaves = sectionLeaves
    self.rowLeaves = rowLeaves
    self.parents = parents
  }

  /// The index of no sections.
  static let empty = SnapshotIndex(
    sections: PersistentSequence(), sectionLeaves: [:], rowLeaves: [:], parents: [:])
}

extension SnapshotIndex {
  /// The index of a section.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections.
  func section(_ identifier: Identifier) -> Int? {
    guard let leaf = sectionLeaves[identifier] else { return nil }
    var path = ascent(from: leaf)
    var index = 0
    let node = Self.descend(from: sections.root!, along: &path, position: &index)
    return index + node.elements.firstIndex { $0.identifier == identifier }!
  }

  /// The position of a row.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and rows.
  func row(_ identifier: Identifier) -> RowPath? {
    guard let leaf = rowLeaves[identifier] else { return nil }
    var path = ascent(from: leaf)
    var section = 0
    let sectionLeaf = Self.descend(from: sections.root!, along: &path, position: &section)
    let root = path.removeLast()
    let slot = sectionLeaf.elements.firstIndex { $0.rows.tree.root?.identity == root }!
    var row = 0
    let node = Self.descend(
      from: sectionLeaf.elements[slot].rows.tree.root!, along: &path, position: &row)
    return RowPath(
      section: section + slot, row: row + node.elements.firstIndex { $0.identifier == identifier }!)
  }

  /// The identities from a node to the root of the sections, which comes last.
  private func ascent(from node: NodeIdentity) -> [NodeIdentity] {
    var path = [node]
    path.reserveCapacity(12)
    while let parent = parents[path[path.count - 1]] { path.append(parent) }
    path.removeLast()
    return path
  }

  /// Walks down to a leaf by the identities at the end of a path, which it takes away, and adds the
  /// number of elements before the leaf.
  private static func descend<Element>(
    from root: TreeNode<Element>, along path: inout [NodeIdentity], position: inout Int
  ) -> TreeNode<Element> {
    var node = root
    while !node.isLeaf {
      let identity = path.removeLast()
      for child in node.children {
        if child.identity == identity {
          node = child.node
          break
        }
        position += child.count
      }
    }
    return node
  }
}
