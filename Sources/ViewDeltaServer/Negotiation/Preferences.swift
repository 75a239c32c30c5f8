import HTTPTypes
import MicroHTTP

/// What a client prefers, as far as this server knows it (RFC 7240). What is unknown or malformed
/// is passed over.
struct Preferences: Hashable, Sendable {
  /// An error rather than a guess (section 4.4).
  private(set) var isStrict = false
  /// A diff rather than a snapshot, even if that is smaller: a preference of this server.
  private(set) var wantsDiff = false
  /// How many seconds it would wait for an answer (section 4.3).
  private(set) var wait: Int?

  init(_ field: String?) {
    guard let field else { return }
    var known: Set<Substring> = []
    for preference in Self.elements(of: field.lowercased()) {
      let first = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      let parts = first.split(separator: "=", maxSplits: 1).map { Substring($0) }
      // Of several of one name the first one counts, whatever it says (section 2).
      guard let name = parts.first, known.insert(name).inserted, parts.count == 2 else { continue }
      switch (name, parts[1]) {
      case ("handling", "strict"): isStrict = true
      case ("return", "diff"): wantsDiff = true
      case ("wait", let seconds) where seconds.isNumber: wait = Int(seconds) ?? .max
      default: break
      }
    }
  }

  /// The elements of a list. A comma in a quoted value separates none.
  private static func elements(of field: String) -> [Substring.UnicodeScalarView] {
    let field = field.unicodeScalars
    var elements: [Substring.UnicodeScalarView] = []
    var (start, isQuoted, isEscaped) = (field.startIndex, false, false)
    for index in field.indices {
      switch field[index] {
      case "," where !isQuoted:
        elements.append(field[start..<index])
        start = field.index(after: index)
      case "\"" where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = isQuoted && field[index] == "\\" && !isEscaped
    }
    return elements + [field[start...]]
  }
}

extension Request {
  /// What the client prefers.
  var preferences: Preferences { Preferences(self[.prefer]) }
}

extension Substring {
  fileprivate var isNumber: Bool { utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
