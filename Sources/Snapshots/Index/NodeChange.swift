/// What became of the node of one identity: it changed, came (no old state) or went (no new one).
struct NodeChange<Element: TreeElement> {
  let old: TreeNode<Element>?
  let new: TreeNode<Element>?

  /// The elements that left the leaf, and those that came into it.
  ///
  /// - Complexity: O(1): a leaf has a bounded number of elements.
  func movedElements() -> (gone: [Element], arrived: [Element]) {
    guard let old else { return ([], new?.elements ?? []) }
    guard let new else { return (old.elements, []) }
    return Self.differences(
      old.elements, new.elements, areSame: { $0.hasSameIdentifier(as: $1) })
  }

  /// The children that left the branch, and those that came into it.
  ///
  /// - Complexity: O(1), likewise.
  func movedChildren() -> (gone: [TreeNode<Element>.Child], arrived: [TreeNode<Element>.Child]) {
    guard let old else { return ([], new?.children ?? []) }
    guard let new else { return (old.children, []) }
    return Self.differences(old.children, new.children, areSame: { $0.identity == $1.identity })
  }

  private static func differences<Slot>(
    _ old: [Slot], _ new: [Slot], areSame: (Slot, Slot) -> Bool
  ) -> (gone: [Slot], arrived: [Slot]) {
    var head = 0
    while head < min(old.count, new.count), areSame(old[head], new[head]) { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head,
      areSame(old[old.count - 1 - tail], new[new.count - 1 - tail])
    {
      tail += 1
    }
    let oldMiddle = old[head..<old.count - tail]
    let newMiddle = new[head..<new.count - tail]
    return (
      oldMiddle.filter { slot in !newMiddle.contains { areSame($0, slot) } },
      newMiddle.filter { slot in !oldMiddle.contains { areSame($0, slot) } }
    )
  }
}
