import HashTreeCollections

/// A table from keys to nodes, most of which revisions share.
///
/// It is a plain table, which nothing changes any more, and a hash trie (Bagwell, 2001) of the entries
/// that have changed since. A plain table is made in a fraction of the time and the memory, and a change
/// of the trie costs only what changes. When the trie holds an eighth of all entries, a new plain table
/// takes its place.
struct NodeTable<Key: Hashable & Sendable>: Sendable, Equatable {
  private var base: [Key: NodeIdentity] = [:]
  /// The entries that differ from those of `base`; `nil` for a key that is gone.
  private var changes: TreeDictionary<Key, NodeIdentity?> = [:]

  /// Returns the node of a key.
  ///
  /// - Complexity: O(1) expected.
  subscript(key: Key) -> NodeIdentity? {
    if !changes.isEmpty, let change = changes[key] { return change }
    return base[key]
  }

  /// All entries.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries.
  var entries: [Key: NodeIdentity] {
    var entries = base
    for (key, node) in changes { entries[key] = node }
    return entries
  }

  /// Removes some keys, then adds others.
  ///
  /// - Returns: The keys that were added although they have an entry, in order.
  /// - Complexity: O(*k*) expected and amortised, where *k* is the number of keys.
  mutating func update(
    removing departures: [Key], adding arrivals: [(key: Key, node: NodeIdentity)]
  ) -> [Key] {
    if departures.isEmpty && arrivals.isEmpty { return [] }
    guard changes.count + arrivals.count + departures.count > base.count / 8 else {
      for key in departures { changes[key] = .some(nil) }
      return arrivals.compactMap { key, node in
        let previous = self[key]
        changes[key] = node
        return previous == nil ? nil : key
      }
    }
    // If all entries are replaced, there are none to copy.
    var base = changes.isEmpty && departures.count == base.count ? [:] : entries
    if base.isEmpty { base.reserveCapacity(arrivals.count) }
    for key in departures where !base.isEmpty { base[key] = nil }
    let duplicates = arrivals.compactMap { key, node in
      base.updateValue(node, forKey: key) == nil ? nil : key
    }
    self = NodeTable(base: base)
    return duplicates
  }

  init() {}

  /// - Complexity: O(1).
  init(base: [Key: NodeIdentity]) {
    self.base = base
  }
}

extension NodeTable<NodeIdentity> {
  /// Returns the identities from a node to the root of its tree, in a table from nodes to their
  /// parents.
  func ascent(from node: NodeIdentity) -> [NodeIdentity] {
    var path = [node]
    path.reserveCapacity(12)
    while let parent = self[path[path.count - 1]] { path.append(parent) }
    return path
  }
}

extension TreeNode {
  /// Enters the leaf of each element, and the parent of each node below this one.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of elements.
  func enter(
    into leaves: inout [Element.Key: NodeIdentity], _ parents: inout [NodeIdentity: NodeIdentity]
  ) {
    for element in elements { leaves[element.identifier] = identity }
    for child in children {
      parents[child.identity] = identity
      child.node.enter(into: &leaves, &parents)
    }
  }
}
