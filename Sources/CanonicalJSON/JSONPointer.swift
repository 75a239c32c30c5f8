/// The place of a value in a document, as RFC 6901 writes it: `/users/3/id`.
public struct JSONPointer: Hashable, Sendable {
  /// The reference tokens, unescaped; an array's index is a token of decimal digits. They are
  /// compared by their bytes, as RFC 6901 §4 wants it.
  public private(set) var tokens: [Text]

  /// The pointer to the whole document.
  public static let root = JSONPointer(tokens: [])

  /// The pointer that follows the tokens from the root.
  public init(tokens: [Text]) {
    self.tokens = tokens
  }

  /// Whether this points to the whole document.
  public var isRoot: Bool { tokens.isEmpty }

  /// The pointer to a member of the object here.
  ///
  /// - Complexity: O(*d*), where *d* is the depth of the pointer; so is the next one's.
  public func appending(_ name: Text) -> JSONPointer {
    JSONPointer(tokens: tokens + [name])
  }

  /// The pointer to an element of the array here.
  public func appending(_ index: Int) -> JSONPointer {
    appending(Text(String(index)))
  }
}

extension JSONPointer: LosslessStringConvertible {
  /// The pointer's string form: a `/` before every token, `~` escaped as `~0` and `/` as `~1`.
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      for scalar in token.string.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  /// Reads the string form; `nil` for text that is neither empty nor begins with `/`, and for a
  /// `~` not followed by `0` or `1` (RFC 6901 §3).
  public init?(_ description: String) {
    tokens = []
    var token: String?
    var scalars = description.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "/" {
        if let token { tokens.append(Text(token)) }
        token = ""
        continue
      }
      guard token != nil else { return nil }
      if scalar == "~" {
        switch scalars.next() {
        case "0": token?.append("~")
        case "1": token?.append("/")
        default: return nil
        }
      } else {
        token?.unicodeScalars.append(scalar)
      }
    }
    if let token { tokens.append(Text(token)) }
  }
}
