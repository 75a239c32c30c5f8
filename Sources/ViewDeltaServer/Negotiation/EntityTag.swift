import CanonicalJSON

/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// What stands between the quotes.
  let opaque: Text
  let isWeak: Bool

  init(_ opaque: Text, isWeak: Bool = false) {
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// The tag as it stands in a field.
  var text: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

  /// What stands between the quotes, without what a content coding has added.
  var uncoded: Substring {
    let suffix = ContentCoding.gzip.tagSuffix.utf8
    let isCoded = opaque.utf8.suffix(suffix.count).elementsEqual(suffix)
    return Substring(opaque.utf8.dropLast(isCoded ? suffix.count : 0))
  }

  /// The tag of the same content in another coding.
  func coded(_ coding: ContentCoding) -> EntityTag {
    EntityTag("\(opaque)\(coding.tagSuffix)", isWeak: isWeak)
  }
}

extension EntityTag {
  /// Takes a tag off the front; `nil` where none is there.
  init?(parsing rest: inout Substring.UTF8View) {
    let isWeak = rest.starts(with: "W/".utf8)
    if isWeak { rest.removeFirst(2) }
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest.removeFirst()
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let opaque = rest[..<end]
    // etagc of RFC 9110: no space, no quote, no control characters.
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    self.init(Text(String(opaque) ?? ""), isWeak: isWeak)
    rest = rest[rest.index(after: end)...]
  }

  /// Reads the tag in a field; `nil` where that is not one tag.
  init?(field: String) {
    var rest = field.utf8[...]
    self.init(parsing: &rest)
    guard rest.isEmpty else { return nil }
  }
}
