import CanonicalJSON
import Snapshots

/// Sums up what a block of inputs has changed, so that servers that apply the same inputs can compare themselves.
///
/// It takes what each server has: the revisions of view models with a state of their own, the changes of stores, and
/// what screens would show of the changed elements. What only the readers of one server need is left out.
struct BlockDigest: Sendable {
  /// The number of positions of a block.
  static let length = 1_024
  /// The largest number of elements of one change, and of view models that one input changes, that are looked at.
  private static let elementLimit = 16

  private var block = Block()
  /// Whether the block has all inputs so far.
  private var isWhole: Bool
  private var finished: Block?

  /// Begins after a position.
  init(after position: Int) {
    isWhole = position % Self.length == 0
  }

  /// Adds what an input has changed, in any order.
  mutating func add(_ step: Step) {
    block.add("\(step.position) \(step.memory.outcomes.byteCount)")
    for (store, change) in step.transaction.changes {
      for key in change.keys { block.add("\(step.position) \(store) \(key)") }
      let shown = change.created.list + change.changed.list
      if shown.count <= Self.elementLimit {
        for key in shown { block.elements.insert(Element(store: store, key: key)) }
      }
    }
    let drafts = step.moved.filter(\.isSharedChange)
    // Otherwise one input makes the view models of all sessions.
    let areShown = drafts.count <= Self.elementLimit
    for draft in drafts {
      block.add("\(step.position) \(areShown ? draft.sharedContent : draft.instance.name.string)")
    }
    guard step.position % Self.length == 0 else { return }
    (block.position, block.stores) = (step.position, step.transaction.stores)
    if isWhole { finished = block }
    (block, isWhole) = (Block(), true)
  }

  /// Returns the last whole block, once.
  mutating func take() -> Block? { finished.take() }

  fileprivate struct Element: Hashable, Sendable {
    let store: Int
    let key: Text
  }

  /// What a block of inputs has changed.
  struct Block: Sendable {
    /// The last position.
    fileprivate(set) var position = 0
    fileprivate var stores = Stores()
    private var sum: UInt64 = 0
    /// The elements of stores that exist after one of the inputs and were changed.
    fileprivate var elements: Set<Element> = []

    fileprivate mutating func add(_ text: String) { sum &+= FNV1a.hash(text.utf8) }

    /// Returns the digest of the block.
    ///
    /// - Complexity: That of the assembly of a view model for each changed element.
    func digest(shownBy hosts: [ScreenHost]) -> Text {
      var block = self
      for host in hosts {
        for element in elements {
          if let content = host.content(of: element.key, of: element.store, in: stores) {
            block.add(content)
          }
        }
      }
      return Text(String(block.sum, radix: 36))
    }
  }
}
