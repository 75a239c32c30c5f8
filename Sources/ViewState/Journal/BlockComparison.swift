import CanonicalJSON

/// Compares the digests that this server has of blocks of inputs with those of the servers beside it.
///
/// Two different digests do not tell which server is right. So a server with another digest waits a while for those of
/// all servers, and goes on if more than half of the servers have its digest. Otherwise, it makes its state anew from the
/// journal, which is right by definition. If there are only two servers, both do so.
struct BlockComparison: Sendable {
  private struct Block: Sendable {
    let position: Int
    /// `nil` as long as it is being computed.
    var digest: Text?
    var others: [Text] = []
    var isDoubtful = false
  }

  /// The last blocks of this server, oldest first.
  private var blocks: [Block] = []
  /// Whether this server has to make its state anew.
  private(set) var isWrong = false

  /// The number of blocks that are compared. A digest of an older one comes too late.
  private static let limit = 4

  /// Whether this server may be wrong.
  var isDoubtful: Bool { isWrong || blocks.contains(where: \.isDoubtful) }

  /// Adds a block of this server, whose digest is being computed.
  mutating func begin(at position: Int) {
    blocks.append(Block(position: position))
    if blocks.count > Self.limit { blocks.removeFirst() }
  }

  /// Adds the digest of a block of this server.
  ///
  /// - Returns: Whether ``settle(_:)`` has to follow after a while.
  mutating func add(_ digest: Text, at position: Int) -> Bool {
    compare(at: position) { $0.digest = digest }
  }

  /// Takes the digest of another server.
  ///
  /// - Returns: Whether ``settle(_:)`` has to follow after a while.
  mutating func take(_ digest: Text, at position: Int) -> Bool {
    compare(at: position) { $0.others.append(digest) }
  }

  /// Changes a block, and notes whether servers differ on it.
  ///
  /// - Returns: Whether that is new.
  private mutating func compare(at position: Int, _ change: (inout Block) -> Void) -> Bool {
    guard let index = blocks.firstIndex(where: { $0.position == position }) else { return false }
    change(&blocks[index])
    let block = blocks[index]
    guard let digest = block.digest, !block.isDoubtful,
      block.others.contains(where: { $0 != digest })
    else { return false }
    blocks[index].isDoubtful = true
    return true
  }

  /// Decides about a block on which servers differ.
  ///
  /// - Returns: Whether this server is found wrong now.
  mutating func settle(_ position: Int) -> Bool {
    guard let index = blocks.firstIndex(where: { $0.position == position }), !isWrong else {
      return false
    }
    let block = blocks[index]
    blocks[index].isDoubtful = false
    isWrong = block.others.count { $0 == block.digest } < block.others.count { $0 != block.digest }
    return isWrong
  }
}
