import CanonicalJSON
import MicroHTTP
import Snapshots
import ViewState

/// The body of a poll of many view models.
struct SyncQuery: Sendable {
  /// The view models that a client shows, and what it holds of each.
  let screens: [(name: Text, path: ScreenPath, standpoint: Standpoint)]
  /// How long the client would wait for a change of any of them.
  let wait: Duration

  /// How many view models one poll may name.
  static let limit = 100

  /// - Throws: `JSONShapeError` naming the member at fault.
  init(_ body: JSONReader) throws(JSONShapeError) {
    try body.rejectUnknownMembers(allowed: ["screens", "wait"])
    let screens = try body.member("screens")
    let names = try screens.memberNames
    guard (1...Self.limit).contains(names.count) else {
      throw screens.error("expected 1 to \(Self.limit) screens, found \(names.count)")
    }
    var parsed: [(name: Text, path: ScreenPath, standpoint: Standpoint)] = []
    for name in names {
      let screen = try screens.member(name)
      guard let path = ScreenPath(name) else {
        throw screen.error("the name is not a screen and a key, such as profile/1")
      }
      parsed.append((name, path, try Standpoint(screen)))
    }
    self.screens = parsed
    guard let wait = try body.optionalMember("wait") else {
      self.wait = .zero
      return
    }
    let seconds = try wait.integer()
    guard seconds >= 0 else { throw wait.error("expected a whole number of seconds from 0") }
    self.wait = ChangeQuery.duration(seconds: seconds)
  }
}

extension Standpoint {
  fileprivate init(_ screen: JSONReader) throws(JSONShapeError) {
    try screen.rejectUnknownMembers(allowed: ["since", "have"])
    self.init(since: nil, have: nil)
    if let since = try screen.optionalMember("since") {
      let text = try since.string()
      guard RevisionToken.isWellFormed(text.string) else {
        throw since.error("expected a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
      }
      self.since = RevisionName(text: text)
    }
    if let have = try screen.optionalMember("have") {
      guard let hash = ContentHash(try have.string().string) else {
        throw have.error("expected a SHA-256 in base64url without padding")
      }
      self.have = hash
    }
  }
}
