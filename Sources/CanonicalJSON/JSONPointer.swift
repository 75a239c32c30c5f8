/// The location of a value in a document (RFC 6901), for example `/users/3/id`.
///
/// ```swift
/// let pointer = JSONPointer("/users/3")?.appending("id")
/// pointer?.description  // "/users/3/id"
/// ```
public struct JSONPointer: Hashable, Sendable {
  /// The unescaped reference tokens; an array index is a token of decimal digits. Tokens are
  /// compared by their bytes (RFC 6901 §4).
  public private(set) var tokens: [Text]

  /// The pointer to the whole document.
  public static let root = JSONPointer(tokens: [])

  /// Creates the pointer that follows the tokens from the root.
  public init(tokens: [Text]) {
    self.tokens = tokens
  }

  /// Whether this is the pointer to the whole document.
  package var isRoot: Bool { tokens.isEmpty }

  /// Returns the pointer to a member of the object at this location.
  ///
  /// - Complexity: O(*d*), where *d* is the number of tokens.
  public func appending(_ name: Text) -> JSONPointer {
    JSONPointer(tokens: tokens + [name])
  }

  /// Returns the pointer to an element of the array at this location.
  ///
  /// - Complexity: O(*d*), where *d* is the number of tokens.
  public func appending(_ index: Int) -> JSONPointer {
    appending(Text(String(index)))
  }
}

extension JSONPointer: LosslessStringConvertible {
  /// The string form: a `/` before every token, with `~` escaped as `~0` and `/` as `~1`.
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

  /// Parses the string form. Returns `nil` if the text is neither empty nor begins with `/`, or if
  /// a `~` is not followed by `0` or `1` (RFC 6901 §3).
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

/// As the string form.
extension JSONPointer: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let pointer = JSONPointer(try container.decode(Text.self).string) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a JSON pointer")
    }
    self = pointer
  }

  public func encode(to encoder: any Encoder) throws { try Text(description).encode(to: encoder) }
}
