import HTTPTypes
import MicroHTTP

/// What a client prefers, as far as this server knows it (RFC 7240). What is unknown or malformed
/// is passed over.
struct Preferences: Hashable, Sendable {
  /// An error rather than a guess (section 4.4).
  private(set) var isStrict = false
  /// How many seconds it would wait for an answer (section 4.3).
  private(set) var wait: Int?

  init(_ field: String?) {
    guard let field else { return }
    for preference in field.lowercased().split(separator: ",") {
      let first = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      let parts = first.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch (parts[0], parts[1]) {
      case ("handling", "strict"): isStrict = true
      // The first one counts (section 2).
      case ("wait", let seconds) where wait == nil && seconds.isNumber: wait = Int(seconds) ?? .max
      default: break
      }
    }
  }
}

extension Request {
  /// What the client prefers.
  var preferences: Preferences { Preferences(self[.prefer]) }
}

extension Substring {
  fileprivate var isNumber: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
