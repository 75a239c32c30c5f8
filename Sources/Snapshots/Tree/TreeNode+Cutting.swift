extension TreeNode {
  /// Leaves with the given elements, each within its bounds; one that is underfull where there are
  /// too few elements for more, none where there are no elements.
  ///
  /// - Parameter identities: Those of the nodes that give way to the new ones, which take them over
  ///   in order.
  /// - Complexity: O(*n*), where *n* is the number of elements.
  static func leaves(
    of elements: [Element], keeping identities: [NodeIdentity] = []
  ) -> [Child] {
    cut(elements, keeping: identities) { Child(TreeNode(identity: $0, elements: $1)) }
  }

  /// Branches with the given children, likewise.
  static func branches(
    of children: [Child], keeping identities: [NodeIdentity] = []
  ) -> [Child] {
    cut(children, keeping: identities) { Child(TreeNode(identity: $0, children: $1)) }
  }

  /// Cuts a list into parts of even sizes that are three quarters full, so that the next insertion
  /// finds room and the next removal does not make a part underfull.
  private static func cut<Slot>(
    _ slots: [Slot], keeping identities: [NodeIdentity], make: (NodeIdentity, [Slot]) -> Child
  ) -> [Child] {
    var identities = identities.makeIterator()
    func identity() -> NodeIdentity { identities.next() ?? .unique() }
    if slots.isEmpty { return [] }
    if slots.count <= capacity { return [make(identity(), slots)] }

    // Beyond the capacity, even parts of about 3/4 of it have at least half of it.
    let target = capacity * 3 / 4
    let partCount = (slots.count + target - 1) / target
    var parts: [Child] = []
    parts.reserveCapacity(partCount)
    for part in 0..<partCount {
      let bounds = slots.count * part / partCount..<slots.count * (part + 1) / partCount
      parts.append(make(identity(), Array(slots[bounds])))
    }
    return parts
  }
}
