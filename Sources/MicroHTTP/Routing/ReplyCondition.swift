/// As long as it holds, a reply answers every request that says the same.
public protocol ReplyCondition: Sendable {
  /// Whether the reply may still be given. It is asked before each, on the thread that serves the
  /// connection: it must not block, and be far cheaper than to answer anew.
  var holds: Bool { get }
}
