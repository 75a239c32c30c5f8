import Synchronization

/// What a node of a tree is, whatever its content: a changed copy keeps the identity of the node
/// that it replaces.
///
/// So an index can say in which node an element stands without being told of each change there.
/// Identities are drawn from one counter of the process, because trees that were made apart come
/// together in one snapshot.
struct NodeIdentity: Hashable, Sendable {
  private let number: UInt64

  private init(number: UInt64) {
    self.number = number
  }

  private static let lastNumber = Atomic<UInt64>(0)

  /// An identity that no other node of the process has.
  static func unique() -> NodeIdentity {
    NodeIdentity(number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}
