import CanonicalJSON
import HTTPTypes
public import MicroHTTP
import Snapshots
public import ViewState

extension Request {
  /// The key by which the client names the request, so that it can be sent again without a second effect
  /// (the IETF draft "The Idempotency-Key HTTP Header Field"); `nil` if it names none.
  ///
  /// A key counts for one method and path. Two requests with the same key are the same request if their targets,
  /// including queries, and their bodies are equal. In the draft the key has quotes, as a string of structured fields
  /// (RFC 9651, section 3.3.3); without quotes it is the same key.
  ///
  /// ```swift
  /// let note = try await store.write(.create(body.value), once: request.idempotencyKey)
  /// ```
  ///
  /// - Throws: A 400 problem if the key is given twice, empty, longer than 255 bytes, or not printable ASCII, or if it
  ///   begins with a quote and is not such a string.
  /// - Complexity: O(*n*), where *n* is the size of the target and the body.
  public var idempotencyKey: RequestKey? {
    get throws(ProblemDetails) {
      let values = values(for: .idempotencyKey)
      guard let value = values.first else { return nil }
      guard values.count == 1, let name = value.first == "\"" ? value.unquoted : value,
        (1...Self.longestKey).contains(name.utf8.count),
        name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else {
        throw .badField(
          "Idempotency-Key must be given once, as 1 to 255 printable ASCII characters,"
            + " quoted as a structured field or bare")
      }
      return RequestKey(
        target: "\(method.rawValue) \(path)", name: Text(name), fingerprint: fingerprint)
    }
  }

  /// The longest key taken, in bytes.
  private static var longestKey: Int { 255 }

  /// The SHA-256 of what makes two requests the same: the target, for its query, and the body.
  private var fingerprint: Text {
    var hash = SHA256()
    hash.update(Array(target.utf8))
    hash.update([0])
    hash.update(body)
    return hash.finalize().hexadecimal
  }
}

extension String {
  /// The content of a string of structured fields; `nil` if this is none.
  fileprivate var unquoted: String? {
    var text: [UInt8] = []
    var rest = utf8.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return rest.isEmpty ? String(decoding: text, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst(), next == byte || next == UInt8(ascii: "\"") else {
          return nil
        }
        text.append(next)
      default: text.append(byte)
      }
    }
    return nil
  }
}
