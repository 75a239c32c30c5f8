import Synchronization

/// The identity of a node: a changed copy keeps the identity of the node that it replaces.
///
/// So an index that maps elements to nodes need not be updated after each change in a node. All
/// identities come from one counter of the process, because trees that were created separately can
/// become part of one snapshot.
struct NodeIdentity: Hashable, Sendable {
  let number: UInt64

  private init(number: UInt64) {
    self.number = number
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// Returns an identity that no other node of the process has.
  static func unique() -> NodeIdentity {
    NodeIdentity(number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}
